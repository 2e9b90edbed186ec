import { type BrokerAddress, isProxied } from "../connection/broker-address.ts";
import type { BrokerUrls, Connection } from "../connection/connection.ts";
import type { ConnectionPool } from "../connection/connection-pool.ts";
import type { TopicConnector } from "../session/session-types.ts";
import { selectBrokerUrl } from "./broker-url.ts";
import type { LookupService } from "./lookup-service.ts";
import type { ServiceHosts } from "./service-hosts.ts";

/** What a connector is made of. */
export interface LookupConnectorOptions {
  readonly lookup: LookupService;
  readonly pool: Pick<ConnectionPool, "get">;
  readonly hosts: ServiceHosts;
  readonly usesTls: boolean;
}

/** Finds the broker of a topic by lookup, or by the hint that a broker gave, and takes a connection from the pool. */
export class LookupConnector implements TopicConnector {
  readonly #options: LookupConnectorOptions;
  /** Whether brokers are behind a proxy, as far as the newest lookup tells. A hint does not say. */
  #isProxied = false;

  constructor(options: LookupConnectorOptions) {
    this.#options = options;
  }

  async connect(
    topic: string,
    options: { readonly signal: AbortSignal; readonly hint?: BrokerUrls | undefined },
  ): Promise<Connection> {
    const { lookup, pool } = this.#options;
    const { signal, hint } = options;
    let address = hint === undefined ? undefined : this.#follow(hint, topic);
    if (address === undefined) {
      address = await lookup.lookup(topic, { signal });
      this.#isProxied = isProxied(address);
    }
    return pool.get(address, signal);
  }

  /** The address a hint names; undefined when it names none that can be used. */
  #follow(hint: BrokerUrls, topic: string): BrokerAddress | undefined {
    const { hosts, usesTls } = this.#options;
    const url = usesTls ? hint.brokerServiceUrlTls : hint.brokerServiceUrl;
    if (url === undefined || url === "") return undefined;
    const logical = selectBrokerUrl(hint, usesTls, topic);
    return { logical, physical: this.#isProxied ? hosts.current : logical };
  }
}
