import type { PulsarClient } from "@pulsewire/client";
import type { Telemetry } from "./telemetry.ts";
import { telemetrySchema } from "./telemetry-schema.ts";

/** Reads the topic from its first message to its last, as it is now. Needs no subscription and acknowledges nothing. */
export async function replay(client: PulsarClient, topic: string, signal: AbortSignal): Promise<readonly Telemetry[]> {
  await using reader = await client.createReader(
    { topic, startMessageId: "earliest", schema: telemetrySchema },
    { signal },
  );
  const history: Telemetry[] = [];
  while (await reader.hasMessageAvailable()) {
    const { value } = await reader.readNext({ signal });
    if (value !== null) history.push(value);
  }
  return history;
}
