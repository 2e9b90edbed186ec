import { checkRequirements, startStandalone } from "@pulsewire/apache-pulsar";

/** Where the broker is; closing ends what was started for this run. */
export interface BrokerAccess extends AsyncDisposable {
  readonly serviceUrl: string;
  readonly token: string | undefined;
}

/** The broker cannot be started because something is not there. The message says what. */
export class RequirementError extends Error {
  override readonly name = "RequirementError";
}

/**
 * The broker named by `PULSAR_SERVICE_URL` (and `PULSAR_TOKEN`); without it a real Apache Pulsar is started.
 * Throws RequirementError where that is not possible.
 */
export async function openBroker(signal: AbortSignal, say: (line: string) => void): Promise<BrokerAccess> {
  const serviceUrl = process.env["PULSAR_SERVICE_URL"];
  if (serviceUrl) {
    return { serviceUrl, token: process.env["PULSAR_TOKEN"], [Symbol.asyncDispose]: async () => undefined };
  }
  const { ok, problems, isResolved } = await checkRequirements({ signal });
  if (!ok) {
    throw new RequirementError(
      `Apache Pulsar cannot be started:\n${problems.map((problem) => `  - ${problem}`).join("\n")}\n` +
        "Or set PULSAR_SERVICE_URL to a broker that runs, e.g. pulsar://localhost:6650.",
    );
  }
  say(
    isResolved
      ? "starting Apache Pulsar (some seconds)"
      : "starting Apache Pulsar; the first start downloads it (235 MB, a minute or more)",
  );
  const standalone = await startStandalone({ signal, onProgress: (line) => say(`  ${line}`) });
  return {
    serviceUrl: standalone.serviceUrl,
    token: undefined,
    [Symbol.asyncDispose]: () => standalone.close(),
  };
}
