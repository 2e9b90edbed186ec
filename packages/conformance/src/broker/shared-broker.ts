import type { BrokerName } from "./broker-adapter.ts";

/** What the global setup tells the test files of the broker they share. */
export type SharedBrokerState =
  | { readonly kind: "started"; readonly name: BrokerName; readonly serviceUrl: string; readonly adminUrl: string }
  | { readonly kind: "external"; readonly name: BrokerName; readonly serviceUrl: string; readonly adminUrl: string }
  | { readonly kind: "missing"; readonly name: BrokerName; readonly reason: string };

declare module "vitest" {
  // The names under which the global setup hands values to the test files.
  interface ProvidedContext {
    readonly brokers: readonly SharedBrokerState[];
  }
}
