import { setTimeout as pause } from "node:timers/promises";
import type { PulsarClient } from "@pulsewire/client";
import { type Telemetry, TelemetrySource } from "./telemetry.ts";
import { telemetrySchema } from "./telemetry-schema.ts";

/** Tells the consumer that nothing comes after this message. */
export const lastProperty = "last";

/** How much is published, and how often. */
export interface PublishOptions {
  readonly topic: string;
  readonly seconds: number;
  /** Samples per second. */
  readonly rate: number;
  readonly signal: AbortSignal;
  readonly onPublished: (sample: Telemetry) => void;
}

/** Publishes samples of this computer for a while. Returns how many the broker has stored. */
export async function publishTelemetry(client: PulsarClient, options: PublishOptions): Promise<number> {
  const { topic, seconds, rate, signal, onPublished } = options;
  await using producer = await client.createProducer({ topic, schema: telemetrySchema }, { signal });
  const source = await TelemetrySource.open();
  const startedAt = performance.now();
  const count = Math.max(1, Math.round(seconds * rate));
  for (let number = 1; number <= count; number++) {
    // Measured from the start, so that the time a send takes does not add up.
    await pause(Math.max(0, startedAt + (number * 1000) / rate - performance.now()), undefined, { signal });
    const sample = await source.sample();
    await producer.send(
      {
        value: sample,
        key: sample.host,
        eventTime: sample.takenAt,
        properties: number === count ? { [lastProperty]: "true" } : {},
      },
      { signal },
    );
    onPublished(sample);
  }
  return count;
}
