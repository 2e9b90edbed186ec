import type { BrokerHandle, StartOptions } from "@pulsewire/apache-pulsar";
import { afterAll, beforeAll, describe, inject, it } from "vitest";
import { createApachePulsarAdapter } from "../broker/apache-pulsar-adapter.ts";
import type { BrokerAdapter, BrokerUnderTest, OwnBroker, OwnCluster } from "../broker/broker-adapter.ts";
import type { SharedBrokerState } from "../broker/shared-broker.ts";
import { knownFailure } from "../known-failures/known-failures.ts";
import { type BehaviourBroker, BehaviourContext } from "./behaviour-context.ts";

/** Declares one behaviour; `timeoutMs` is 60 000 by default. */
export type DeclareBehaviour<B extends BehaviourBroker> = (
  name: string,
  show: (context: BehaviourContext<B>) => Promise<void>,
  timeoutMs?: number,
) => void;

/** A cluster as behaviours see it: reached by its first broker. */
export interface ClusterUnderTest extends BehaviourBroker {
  readonly cluster: OwnCluster;
}

/**
 * Declares behaviours for the broker that all test files share, once for each kind of broker.
 *
 * @param skipReason why they cannot be shown in this run although the broker is there
 */
export function onEachBroker(
  title: string,
  declare: (behaviour: DeclareBehaviour<BrokerUnderTest>) => void,
  skipReason?: string,
): void {
  forEachAdapter((adapter, state) => {
    const reason = state.kind === "missing" ? state.reason : skipReason;
    group(title, adapter, reason, () => declare(declarer(title, adapter, () => adapter.shared)));
  });
}

/** Declares behaviours for a broker that this group starts for itself, and may stop, kill and configure. */
export function onOwnBroker(
  title: string,
  options: StartOptions,
  declare: (behaviour: DeclareBehaviour<OwnBroker>) => void,
): void {
  forEachAdapter((adapter) => {
    group(title, adapter, adapter.missing("own-instance"), () => {
      const own = startedBefore(
        () => adapter.startOwn(options),
        (broker) => broker.close(),
      );
      declare(declarer(title, adapter, own));
    });
  });
}

/** Declares behaviours for a cluster that this group starts for itself. */
export function onOwnCluster(
  title: string,
  options: StartOptions & { readonly brokers?: number },
  declare: (behaviour: DeclareBehaviour<ClusterUnderTest>) => void,
): void {
  forEachAdapter((adapter) => {
    group(title, adapter, adapter.missing("cluster"), () => {
      const own = startedBefore(
        () => adapter.startCluster(options),
        (cluster) => cluster.close(),
      );
      declare(
        declarer(title, adapter, () => {
          const cluster = own();
          return { cluster, serviceUrl: cluster.serviceUrl, admin: firstRunning(cluster).admin };
        }),
      );
    });
  });
}

function firstRunning(cluster: OwnCluster): BrokerHandle {
  const broker = cluster.brokers.find(({ state }) => state === "running") ?? cluster.brokers[0];
  if (broker === undefined) throw new Error("the cluster has no broker");
  return broker;
}

function forEachAdapter(declare: (adapter: BrokerAdapter, state: SharedBrokerState) => void): void {
  for (const state of inject("brokers")) declare(createApachePulsarAdapter(state), state);
}

function group(title: string, adapter: BrokerAdapter, reason: string | undefined, declare: () => void): void {
  if (reason === undefined) describe(`${title} [${adapter.name}]`, declare);
  else describe.skip(`${title} [${adapter.name}] (skipped: ${reason})`, declare);
}

function startedBefore<T>(start: () => Promise<T>, close: (instance: T) => Promise<void>): () => T {
  let instance: T | undefined;
  beforeAll(async () => {
    instance = await start();
  });
  afterAll(async () => {
    if (instance !== undefined) await close(instance);
  });
  return () => {
    if (instance === undefined) throw new Error("the broker of this group is not there outside of its behaviours");
    return instance;
  };
}

function declarer<B extends BehaviourBroker>(
  title: string,
  adapter: BrokerAdapter,
  broker: () => B,
): DeclareBehaviour<B> {
  return (name, show, timeoutMs) => {
    const failure = knownFailure(adapter.name, title, name);
    const run = async ({ signal }: { readonly signal: AbortSignal }): Promise<void> => {
      const context = new BehaviourContext(broker(), signal);
      try {
        await show(context);
      } finally {
        await context.end();
      }
    };
    if (failure === undefined) it(name, { timeout: timeoutMs ?? 60_000 }, run);
    else it.fails(`${name} (known failure: ${failure})`, { timeout: timeoutMs ?? 60_000 }, run);
  };
}
