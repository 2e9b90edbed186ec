import { acquireShared, checkRequirements } from "@pulsewire/apache-pulsar";
import type { TestProject } from "vitest/node";
import type { SharedBrokerState } from "../broker/shared-broker.ts";
import { missingPeers, preparePeers } from "../interop/prepare-peers.ts";
import { isStrict, report } from "./strict-mode.ts";

const name = "apache-pulsar";

/** Starts the broker that all test files share, or takes the one of the environment, and builds the peer clients. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const isExternal = Boolean(process.env["PULSAR_SERVICE_URL"]) && Boolean(process.env["PULSAR_ADMIN_URL"]);
  if (!isExternal) {
    const { ok, problems } = await checkRequirements();
    if (!ok) {
      const reason = problems.join("; ");
      if (isStrict()) throw new Error(`Apache Pulsar cannot be started: ${reason}`);
      report(`all behaviours are skipped, since Apache Pulsar cannot be started: ${reason}`);
      report("set PULSAR_SERVICE_URL and PULSAR_ADMIN_URL to use a broker that runs elsewhere");
      provide(project, { kind: "missing", name, reason });
      project.provide("peers", missingPeers("there is no broker"));
      return async () => undefined;
    }
  }
  report(isExternal ? `using the broker at ${process.env["PULSAR_SERVICE_URL"]}` : "starting Apache Pulsar");
  const pulsar = await acquireShared();
  try {
    const { serviceUrl, adminUrl } = pulsar;
    provide(project, { kind: pulsar.isExternal ? "external" : "started", name, serviceUrl, adminUrl });
    project.provide("peers", await preparePeers());
  } catch (error) {
    await pulsar.close();
    throw error;
  }
  return () => pulsar.close();
}

function provide(project: TestProject, state: SharedBrokerState): void {
  project.provide("brokers", [state]);
}
