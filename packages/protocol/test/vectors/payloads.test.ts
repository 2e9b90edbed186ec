import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { ChunkedMessageAssembler } from "../../src/chunk/chunked-message-assembler.ts";
import { decodeCommand } from "../../src/command/decode-command.ts";
import { compressionTypeFromWire, decompressPayload } from "../../src/compression/codec.ts";
import { compressionRegistry } from "../../src/compression/registry.ts";
import { readEncryptionPrivateKey, unwrapDataKey } from "../../src/crypto/data-key.ts";
import { decryptPayload, encryptPayload } from "../../src/crypto/payload-cipher.ts";
import { decodeEntry, type Entry } from "../../src/entry/decode-entry.ts";
import { MessageId } from "../../src/message-id/message-id.ts";
import { knownVectors, payloadOf, type Vector } from "./vectors.ts";

const MAX = 5_242_880;
const privateKeys = ["rsa-a-private.pem", "rsa-a-private-pkcs1.pem"].map((file) =>
  readEncryptionPrivateKey(readFileSync(new URL(`./data/keys/${file}`, import.meta.url), "utf8")),
);

const entries = knownVectors
  .filter((vector) => vector.decoded.metadata !== undefined && vector.decoded.checksum_ok !== false)
  .map((vector) => ({ vector, entry: decodeEntry(partOf(vector)) }));

beforeAll(async () => {
  await compressionRegistry.load("ZSTD");
});

function partOf(vector: Vector): Buffer {
  const frame = Buffer.from(vector.hex, "hex");
  return frame.subarray(8 + frame.readUInt32BE(4));
}

function dataKeyOf({ metadata }: Entry): Uint8Array | undefined {
  const wrapped = metadata.encryptionKeys?.find(({ key }) => key === "rsa-a")?.value;
  const [privateKey] = privateKeys;
  return wrapped && privateKey && unwrapDataKey(privateKey, wrapped);
}

function decrypt(entry: Entry): Uint8Array {
  const { encryptionParam } = entry.metadata;
  const dataKey = dataKeyOf(entry);
  return dataKey && encryptionParam ? decryptPayload(dataKey, encryptionParam, entry.payload) : entry.payload;
}

function decompress({ metadata }: Entry, payload: Uint8Array): Uint8Array {
  const type = compressionTypeFromWire(metadata.compression ?? 0);
  if (type === "NONE") return payload;
  const codec = compressionRegistry.get(type);
  if (codec === undefined) throw new Error(`no codec for ${type}`);
  return decompressPayload(codec, payload, metadata.uncompressedSize ?? 0, MAX);
}

it("decrypts and decompresses every payload of every client to what the application sent", () => {
  let checked = 0;
  for (const { vector, entry } of entries) {
    const expected = vector.plain_hex === undefined ? payloadOf(vector) : Buffer.from(vector.plain_hex, "hex");
    if (expected === undefined || entry.metadata.numChunksFromMsg !== undefined) continue;
    const plain = decompress(entry, decrypt(entry));
    expect(Buffer.from(plain).equals(expected), vector.name).toBe(true);
    checked++;
  }
  expect(checked).toBeGreaterThan(300);
});

it("unwraps the data keys with either form of the private key", () => {
  const encrypted = entries.filter(({ vector }) => vector.decrypt !== undefined);
  expect(encrypted.length).toBeGreaterThan(20);
  for (const { vector, entry } of encrypted) {
    const wrapped = entry.metadata.encryptionKeys?.find(({ key }) => key === "rsa-a")?.value ?? new Uint8Array();
    for (const key of privateKeys) {
      expect(Buffer.from(unwrapDataKey(key, wrapped)).toString("hex"), vector.name).toBe(vector.decrypt?.data_key_hex);
    }
  }
});

it("encrypts to the same bytes under the same key and initialisation vector", () => {
  for (const { vector, entry } of entries) {
    const { encryptionParam } = entry.metadata;
    if (vector.decrypt === undefined || encryptionParam === undefined) continue;
    const dataKey = Buffer.from(vector.decrypt.data_key_hex, "hex");
    const again = encryptPayload(dataKey, encryptionParam, decryptPayload(dataKey, encryptionParam, entry.payload));
    expect(Buffer.from(again).equals(entry.payload), vector.name).toBe(true);
  }
});

it("puts the chunks of each message together again", () => {
  let messages = 0;
  const assembler = new ChunkedMessageAssembler({ maxTotalSizeBytes: 10 * MAX, maxPendingMessages: 100 });
  for (const { vector, entry } of entries) {
    const { metadata } = entry;
    const { uuid, chunkId, numChunksFromMsg, totalChunkMsgSize } = metadata;
    if (uuid === undefined || chunkId === undefined || vector.decoded.command.type !== "MESSAGE") continue;
    const frame = Buffer.from(vector.hex, "hex");
    const command = decodeCommand(frame, 8, 8 + frame.readUInt32BE(4));
    if (command.type !== "MESSAGE") throw new Error("not a MESSAGE");
    const outcome = assembler.add(
      {
        uuid: `${vector.name.split("/").slice(0, 2).join("/")}/${uuid}`,
        chunkId,
        numChunks: numChunksFromMsg ?? 0,
        totalSizeBytes: totalChunkMsgSize ?? 0,
        payload: decrypt(entry),
        messageId: new MessageId(command.body.messageId.ledgerId, command.body.messageId.entryId),
      },
      0,
    );
    if (outcome.kind !== "complete") continue;
    const whole = decompress(entry, outcome.payload);
    expect(whole.length, vector.name).toBe(metadata.uncompressedSize ?? outcome.payload.length);
    messages++;
  }
  expect(messages).toBeGreaterThan(5);
});
