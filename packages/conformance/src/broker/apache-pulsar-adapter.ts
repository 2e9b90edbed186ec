import { AdminClient, startCluster, startStandalone } from "@pulsewire/apache-pulsar";
import type { BrokerAdapter, BrokerUnderTest, Capability } from "./broker-adapter.ts";
import type { SharedBrokerState } from "./shared-broker.ts";

const name = "apache-pulsar";

/** Apache Pulsar, the shared one as the global setup left it. */
export function createApachePulsarAdapter(state: SharedBrokerState): BrokerAdapter {
  return {
    name,
    shared: sharedBroker(state),
    missing: (capability) => missing(state, capability),
    startOwn: async (options) => await startStandalone(options),
    startCluster: async (options) => await startCluster(options),
  };
}

function sharedBroker(state: SharedBrokerState): BrokerUnderTest {
  if (state.kind === "missing") return { name, serviceUrl: "", adminUrl: "", admin: new AdminClient("") };
  const { serviceUrl, adminUrl } = state;
  return { name, serviceUrl, adminUrl, admin: new AdminClient(adminUrl, { token: process.env["PULSAR_TOKEN"] }) };
}

function missing(state: SharedBrokerState, capability: Capability): string | undefined {
  switch (state.kind) {
    case "started":
      return undefined;
    case "missing":
      return state.reason;
    case "external":
      return capability === "cluster"
        ? "the broker of PULSAR_SERVICE_URL cannot be made a cluster by this suite"
        : "the broker of PULSAR_SERVICE_URL cannot be restarted, killed or configured by this suite";
  }
}
