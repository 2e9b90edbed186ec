import type { LookupService } from "./lookup/lookup-service.ts";
import type { BackoffOptions } from "./session/backoff.ts";
import type { TopicConnector } from "./session/session-types.ts";
import type { Clock, Random } from "./util/clock.ts";
import type { Limiter } from "./util/limiter.ts";
import type { Logger } from "./util/logger.ts";

/** What a client hands to the producers, consumers and readers it makes. */
export interface ClientContext {
  readonly connector: TopicConnector;
  readonly lookup: LookupService;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly backoff: BackoffOptions;
  readonly operationTimeoutMs: number;
  /** Bytes of payload held by all producers of the client together. */
  readonly memoryLimiter: Limiter;
  /** An id for a producer, unique within the client and so on every connection of it. */
  nextProducerId(): number;
  /** An id for a consumer, unique within the client and so on every connection of it. */
  nextConsumerId(): number;
  /** To be called when a producer, consumer or reader is closed or has failed: the client forgets it. */
  onClosed(closable: Closable): void;
}

/** What a client closes when it is closed itself. */
export interface Closable {
  close(): Promise<void>;
}
