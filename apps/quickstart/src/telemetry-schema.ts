import type { Schema } from "@pulsewire/client";
import type { Telemetry } from "./telemetry.ts";

/** Telemetry as JSON. The type goes from the producer's `send` to the consumer's `message.value`. */
export const telemetrySchema: Schema<Telemetry> = {
  info: undefined,
  encode: (value) => Buffer.from(JSON.stringify(value)),
  decode: (data) => JSON.parse(Buffer.from(data).toString("utf8")) as Telemetry,
};
