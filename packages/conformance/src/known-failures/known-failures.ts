import type { BrokerName } from "../broker/broker-adapter.ts";
import { apachePulsarFailures } from "./apache-pulsar.ts";

/**
 * Behaviours that a broker is known not to show: `"<title of the group> > <name of the behaviour>"` and the reason. Such
 * a test is expected to fail, and a run is red when it passes after all.
 */
export type KnownFailures = Readonly<Record<string, string>>;

const byBroker: Readonly<Record<BrokerName, KnownFailures>> = {
  "apache-pulsar": apachePulsarFailures,
};

/** The reason why a behaviour is expected to fail on a broker, or undefined where it is expected to pass. */
export function knownFailure(broker: BrokerName, group: string, behaviour: string): string | undefined {
  return byBroker[broker][`${group} > ${behaviour}`];
}
