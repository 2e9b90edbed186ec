import type { KnownFailures } from "./known-failures.ts";

/** Apache Pulsar is the judge, so nothing may stand here but a fault of the broker itself. */
export const apachePulsarFailures: KnownFailures = {};
