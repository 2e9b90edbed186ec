import {
  type CommandBodies,
  type CommandType,
  decodeCommand,
  decodeMessageMetadata,
  encodeCommand,
  encodeMessageMetadata,
  type MessageMetadata,
} from "@pulsewire/protocol";
import { type Measurement, measure } from "./measure.ts";
import { type BufbuildCodec, loadBufbuild } from "./peers/bufbuild.ts";
import { loadDefinitions, loadStaticCode, type StaticCodec } from "./peers/protobufjs.ts";
import { asFromSocket } from "./socket-bytes.ts";
import { renderTable } from "./table.ts";

const metadata: MessageMetadata = {
  producerName: "standalone-0-17",
  sequenceId: 123_456,
  publishTime: 1_760_000_000_123,
  properties: [
    { key: "source", value: "sensor-17" },
    { key: "trace", value: "4bf92f3577b34da6" },
  ],
  partitionKey: "customer-4711",
  uncompressedSize: 102_400,
  numMessagesInBatch: 1000,
};

const id = { ledgerId: 4711, entryId: 123_456 };

interface HotCommand {
  readonly type: CommandType;
  readonly number: number;
  readonly field: string;
  readonly body: CommandBodies[CommandType];
}

const hotCommands: readonly HotCommand[] = [
  command("SEND", 6, "send", { producerId: 3, sequenceId: 123_456, numMessages: 1000, highestSequenceId: 124_455 }),
  command("SEND_RECEIPT", 7, "sendReceipt", { producerId: 3, sequenceId: 123_456, messageId: id }),
  command("MESSAGE", 9, "message", { consumerId: 5, messageId: { ...id, partition: -1 }, redeliveryCount: 0 }),
  command("ACK", 10, "ack", { consumerId: 5, ackType: 0, messageId: [id] }),
  command("FLOW", 11, "flow", { consumerId: 5, messagePermits: 500 }),
];

function command<T extends CommandType>(type: T, number: number, field: string, body: CommandBodies[T]): HotCommand {
  return { type, number, field, body };
}

/** The hand-written codecs beside protobufjs static code and @bufbuild/protobuf. */
export async function benchCommands(): Promise<string> {
  const root = await loadDefinitions();
  const generated = await loadStaticCode(root);
  const bufbuild = loadBufbuild(root);
  const baseCommand = codecOf(generated, "BaseCommand");
  const tables = hotCommands.map(({ type, number, field, body }) => {
    const base = { type: number, [field]: body };
    const rows = compare(base, encodeCommand(type, body).subarray(8), baseCommand, bufbuild("BaseCommand"), {
      encode: () => encodeCommand(type, body),
      decode: (bytes) => decodeCommand(bytes),
    });
    return renderTable(`${type}`, "command", rows);
  });
  const rows = compare(
    metadata,
    encodeMessageMetadata(metadata),
    codecOf(generated, "MessageMetadata"),
    bufbuild("MessageMetadata"),
    {
      encode: () => encodeMessageMetadata(metadata),
      decode: (bytes) => decodeMessageMetadata(bytes),
    },
  );
  return [...tables, renderTable("MessageMetadata with two properties and a key", "metadata", rows)].join("\n");
}

function codecOf(generated: Record<string, StaticCodec>, name: string): StaticCodec {
  const codec = generated[name];
  if (codec === undefined) throw new Error(`no generated code for ${name}`);
  return codec;
}

interface OwnCodec {
  encode(): Uint8Array;
  decode(bytes: Buffer): unknown;
}

function compare(
  value: object,
  encoded: Uint8Array,
  generated: StaticCodec,
  bufbuild: BufbuildCodec,
  own: OwnCodec,
): Measurement[] {
  const bytes = asFromSocket(encoded);
  const withBigInts = bufbuild.create(bufbuildFields(value) as object);
  expectSame("protobufjs", generated.encode(value).finish(), bytes);
  expectSame("@bufbuild/protobuf", bufbuild.encode(withBigInts), bytes);
  const work = { operations: 1, bytes: bytes.length };
  return [
    measure("encode: @pulsewire/protocol", work, () => own.encode()),
    measure("encode: protobufjs static", work, () => generated.encode(value).finish()),
    measure("encode: @bufbuild/protobuf", work, () => bufbuild.encode(withBigInts)),
    measure("decode: @pulsewire/protocol", work, () => own.decode(bytes)),
    measure("decode: protobufjs static", work, () => generated.decode(bytes)),
    measure("decode: @bufbuild/protobuf", work, () => bufbuild.decode(bytes)),
  ];
}

const SIXTY_FOUR_BITS = /^(producerId|sequenceId|publishTime|ledgerId|entryId|consumerId|highestSequenceId)$/;

/** The same value with each 64-bit field as a bigint. */
function bufbuildFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bufbuildFields);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      SIXTY_FOUR_BITS.test(key) ? BigInt(field as number) : bufbuildFields(field),
    ]),
  );
}

/** A codec that writes other bytes must not be compared. */
function expectSame(name: string, bytes: Uint8Array, expected: Uint8Array): void {
  if (Buffer.compare(bytes, expected) !== 0) throw new Error(`${name} writes ${Buffer.from(bytes).toString("hex")}`);
}
