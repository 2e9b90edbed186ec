import { PulsarClient, TokenAuthentication } from "@pulsewire/client";
import { AlertDetector } from "./alert-detector.ts";
import { raiseAlerts, subscribeAlerts } from "./alerts.ts";
import { openBroker } from "./broker.ts";
import { drawCharts } from "./chart.ts";
import type { Options } from "./options.ts";
import { publishTelemetry } from "./producer.ts";
import { replay } from "./replay.ts";
import { cpuBusy, type Telemetry } from "./telemetry.ts";

/** What the parts of the quickstart counted; all messages must be seen by each of them. */
export interface Summary {
  readonly published: number;
  readonly consumed: number;
  readonly replayed: number;
  /** Raised by the consumer. */
  readonly alerts: number;
  /** Found by the same rules in what was replayed. */
  readonly alertsInHistory: number;
}

/** Runs the whole: broker, producer and consumer side by side, then the replay. Ends early with the signal's reason. */
export async function run(options: Options, signal: AbortSignal, say: (line: string) => void): Promise<Summary> {
  await using broker = await openBroker(signal, say);
  const { serviceUrl, token } = broker;
  await using client = new PulsarClient({
    serviceUrl,
    authentication: token === undefined ? undefined : new TokenAuthentication(token),
  });
  const topic = `persistent://public/default/telemetry-${Date.now().toString(36)}`;
  say(`publishing to ${topic} at ${serviceUrl} for ${options.seconds} s`);
  await using consumer = await subscribeAlerts(client, topic, signal);
  // Whatever goes wrong with one of the two, the other must not wait for ever.
  const either = new AbortController();
  const both = AbortSignal.any([signal, either.signal]);
  const endBoth = (reason: unknown): never => {
    either.abort(reason);
    throw reason;
  };
  const onPublished = (sample: Telemetry): void => say(describe(sample));
  const [published, { consumed, alerts }] = await Promise.all([
    publishTelemetry(client, { topic, ...options, signal: both, onPublished }).catch(endBoth),
    raiseAlerts(consumer, both, ({ text }) => say(`  alert: ${text}`)).catch(endBoth),
  ]);

  say("replaying the topic from its start");
  const history = await replay(client, topic, signal);
  say(drawCharts(history, Math.min(72, (process.stdout.columns ?? 80) - 8)));
  const detector = new AlertDetector();
  const alertsInHistory = history.reduce((sum, sample) => sum + detector.check(sample).length, 0);
  return { published, consumed, replayed: history.length, alerts, alertsInHistory };
}

function describe(sample: Telemetry): string {
  const { load, memoryUsed, diskUsed, network } = sample;
  const percent = (share: number): string => `${Math.round(share * 100)} %`.padStart(5);
  const rate = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB/s`;
  const traffic = network === undefined ? "" : `  net in ${rate(network.received)} out ${rate(network.sent)}`;
  const fixed = `cpu ${percent(cpuBusy(sample))}  memory ${percent(memoryUsed)}  disk ${percent(diskUsed)}`;
  return `${fixed}  load ${load.toFixed(2)}${traffic}`;
}
