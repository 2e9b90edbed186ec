import type { Consumer, Message, Producer, Reader } from "@pulsewire/client";

/** How long a message may take that must come. */
const arrivalMs = 20_000;

/** How long is waited for a message that must not come. */
const absenceMs = 300;

/** Receives that many messages. */
export async function receive<T>(consumer: Consumer<T>, count: number, timeoutMs = arrivalMs): Promise<Message<T>[]> {
  const messages: Message<T>[] = [];
  while (messages.length < count) messages.push(await consumer.receive({ timeoutMs }));
  return messages;
}

/** Reads that many messages. */
export async function read<T>(reader: Reader<T>, count: number): Promise<Message<T>[]> {
  const messages: Message<T>[] = [];
  while (messages.length < count) messages.push(await reader.readNext({ timeoutMs: arrivalMs }));
  return messages;
}

/** Reads as long as the reader says that there is more. */
export async function readAvailable<T>(reader: Reader<T>): Promise<Message<T>[]> {
  const messages: Message<T>[] = [];
  while (await reader.hasMessageAvailable()) messages.push(await reader.readNext({ timeoutMs: arrivalMs }));
  return messages;
}

/** Receives until nothing comes for a while. */
export async function receiveRest<T>(consumer: Consumer<T>, quietMs = absenceMs): Promise<Message<T>[]> {
  const messages: Message<T>[] = [];
  for (;;) {
    try {
      messages.push(await consumer.receive({ timeoutMs: quietMs }));
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === "TIMEOUT") return messages;
      throw error;
    }
  }
}

/** Payloads as text. */
export function texts(messages: readonly Message<unknown>[]): string[] {
  return messages.map((message) => message.data.toString());
}

/** `m-0` to `m-<count - 1>`, or from another number on. */
export function numbered(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, index) => `m-${String(from + index)}`);
}

/** Sends texts without waiting in between, then waits for all receipts. */
export async function sendAll(producer: Producer<Uint8Array>, values: readonly string[]): Promise<void> {
  await Promise.all(values.map((value) => producer.send({ value: Buffer.from(value) })));
}
