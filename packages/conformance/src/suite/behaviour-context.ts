import { randomBytes } from "node:crypto";
import type { AdminClient } from "@pulsewire/apache-pulsar";
import { type ClientOptions, PulsarClient } from "@pulsewire/client";
import { type FaultProxy, startFaultProxy } from "../fault-proxy/fault-proxy.ts";

/** Where a behaviour runs. */
export interface BehaviourBroker {
  readonly serviceUrl: string;
  readonly admin: AdminClient;
}

/** What each behaviour gets: a topic of its own, and things that are closed for it at its end. */
export class BehaviourContext<B extends BehaviourBroker> {
  readonly broker: B;
  /** Aborts when the behaviour's time is up. */
  readonly signal: AbortSignal;
  /** A topic that nothing else uses; created by its first use. */
  readonly topic: string;
  readonly #closing: (() => Promise<unknown>)[] = [];

  constructor(broker: B, signal: AbortSignal) {
    this.broker = broker;
    this.signal = signal;
    this.topic = this.newTopic();
  }

  get admin(): AdminClient {
    return this.broker.admin;
  }

  /** Another topic that nothing else uses. May be taken out of the context. */
  readonly newTopic = (namespace = "public/default"): string =>
    `persistent://${namespace}/conformance-${randomBytes(6).toString("hex")}`;

  /** A client of the broker, or of another address, closed at the end. May be taken out of the context. */
  readonly connect = (options: Partial<ClientOptions> = {}): PulsarClient => {
    const client = new PulsarClient({ serviceUrl: this.broker.serviceUrl, ...options });
    this.onEnd(() => client.close());
    return client;
  };

  /** A fault proxy before the broker, closed at the end. */
  async startProxy(): Promise<FaultProxy> {
    const proxy = await startFaultProxy({ target: this.broker.serviceUrl });
    this.onEnd(() => proxy.close());
    return proxy;
  }

  /** Has something done at the end, whether the behaviour was shown or not; the last comes first. */
  onEnd(action: () => Promise<unknown>): void {
    this.#closing.push(action);
  }

  /** Does what is left to be done at the end; fails with the first failure, after all was tried. */
  async end(): Promise<void> {
    const failures: unknown[] = [];
    for (const action of this.#closing.reverse()) {
      try {
        await action();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
