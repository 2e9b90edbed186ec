import type { Consumer, PulsarClient } from "@pulsewire/client";
import { type Alert, AlertDetector } from "./alert-detector.ts";
import { lastProperty } from "./producer.ts";
import type { Telemetry } from "./telemetry.ts";
import { telemetrySchema } from "./telemetry-schema.ts";

/** What the consumer did. */
export interface AlertCounts {
  readonly consumed: number;
  readonly alerts: number;
}

/** Subscribes; `Shared`, so that more of these programs would share the work. */
export async function subscribeAlerts(
  client: PulsarClient,
  topic: string,
  signal: AbortSignal,
): Promise<Consumer<Telemetry>> {
  return await client.subscribe(
    {
      topic,
      subscription: "alerts",
      subscriptionType: "Shared",
      subscriptionInitialPosition: "Earliest",
      schema: telemetrySchema,
    },
    { signal },
  );
}

/** Turns telemetry into alerts and acknowledges it, up to the last message. */
export async function raiseAlerts(
  consumer: Consumer<Telemetry>,
  signal: AbortSignal,
  onAlert: (alert: Alert) => void,
): Promise<AlertCounts> {
  const detector = new AlertDetector();
  let consumed = 0;
  let alerts = 0;
  for await (const message of consumer.messages({ signal })) {
    if (message.value !== null) {
      for (const alert of detector.check(message.value)) {
        alerts += 1;
        onAlert(alert);
      }
    }
    await consumer.acknowledge(message);
    consumed += 1;
    if (message.properties[lastProperty] === "true") break;
  }
  return { consumed, alerts };
}
