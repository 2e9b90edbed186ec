import { AdminClient } from "../admin/admin-client.ts";
import { AdminRequestError } from "../errors.ts";

/** What {@link missingOfBroker} asks. */
export interface BrokerProbe {
  /** `http://host:port` of the broker. */
  readonly adminUrl: string;
  readonly token: string | undefined;
  /** With automatic creation off, a lookup of a topic that does not exist is answered with 404 by a usable broker. */
  readonly autoTopicCreation: boolean;
  /** How many brokers must be known to this one, itself included. */
  readonly brokers: () => number;
}

/** What a broker lacks until clients can use `public/default` through it, or undefined where it lacks nothing. */
export async function missingOfBroker(probe: BrokerProbe, signal: AbortSignal): Promise<string | undefined> {
  const admin = new AdminClient(probe.adminUrl, { token: probe.token, timeoutMs: 5_000 });
  const topic = "/lookup/v2/topic/persistent/public/default/is-usable";
  let step = "";
  try {
    step = "the namespace public/default";
    await admin.request("GET", "/admin/v2/namespaces/public/default", undefined, signal);
    const expected = probe.brokers();
    step = `${expected} brokers to know one another`;
    const brokers = await admin.request("GET", "/admin/v2/brokers/standalone", undefined, signal);
    if (!Array.isArray(brokers) || brokers.length < expected) return step;
    step = "a lookup in public/default";
    await admin.request("GET", topic, undefined, signal);
    return undefined;
  } catch (error) {
    if (!(error instanceof AdminRequestError)) throw error;
    if (error.status === 404 && step === "a lookup in public/default" && !probe.autoTopicCreation) return undefined;
    return `${step}: ${error.message}`;
  }
}
