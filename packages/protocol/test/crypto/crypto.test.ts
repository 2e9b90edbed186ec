import { createSecretKey, generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  readEncryptionPrivateKey,
  readEncryptionPublicKey,
  unwrapDataKey,
  wrapDataKey,
} from "../../src/crypto/data-key.ts";
import { createDataKey, createEncryptionIv, decryptPayload, encryptPayload } from "../../src/crypto/payload-cipher.ts";
import { payloadBytes, payloadVectors, plainBytes } from "../vectors/payload-vectors.ts";

interface JavaMessage {
  readonly curve: string;
  readonly private_pem: string;
  readonly public_pem: string;
  readonly wrapped_hex: string;
  readonly iv_hex: string;
  readonly payload_hex: string;
  readonly plain_text: string;
}

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));
const pem = (name: string): string => readFileSync(new URL(`../vectors/data/keys/${name}`, import.meta.url), "utf8");
const java = JSON.parse(readFileSync(new URL("./data/java-ecies.json", import.meta.url), "utf8")) as {
  readonly messages: readonly JavaMessage[];
  readonly private_pem_after_parameters: string;
};
const recorded = payloadVectors("java-encrypt.json", "go-encrypt.json", "cpp-encrypt.json").filter(
  (vector) => vector.decrypt !== undefined,
);

describe("encrypted messages of other clients", () => {
  it.each(recorded.map((vector) => [vector.name, vector] as const))("%s is decrypted", (_, vector) => {
    const { encryption_keys: keys = [], encryption_param: iv = "", compression } = vector.decoded.metadata ?? {};
    const mine = keys.find(({ key }) => key === "rsa-a");
    expect(mine).toBeDefined();
    for (const name of ["rsa-a-private.pem", "rsa-a-private-pkcs1.pem"]) {
      const dataKey = unwrapDataKey(readEncryptionPrivateKey(pem(name)), bytes(mine?.value ?? ""));
      expect(Buffer.from(dataKey).toString("hex")).toBe(vector.decrypt?.data_key_hex);
      const plain = decryptPayload(dataKey, bytes(iv), payloadBytes(vector));
      const expected = plainBytes(vector);
      if (compression === undefined && expected !== undefined) {
        expect(Buffer.from(plain).toString("hex")).toBe(Buffer.from(expected).toString("hex"));
      }
    }
  });

  it("come from all three clients", () => {
    expect(new Set(recorded.map(({ name }) => name.split("/")[0]))).toEqual(new Set(["java", "go", "cpp"]));
  });

  it.each(java.messages.map((message, i) => [`${message.curve} no. ${i}`, message] as const))(
    "a message of the Java client for a curve key, %s, is decrypted",
    (_, message) => {
      const dataKey = unwrapDataKey(readEncryptionPrivateKey(message.private_pem), bytes(message.wrapped_hex));
      const plain = decryptPayload(dataKey, bytes(message.iv_hex), bytes(message.payload_hex));
      expect(Buffer.from(plain).toString()).toBe(message.plain_text);
    },
  );
});

describe("data keys", () => {
  const pairs = [
    ["rsa", pem("rsa-a-public.pem"), pem("rsa-a-private.pem")],
    ...java.messages.map((message) => [message.curve, message.public_pem, message.private_pem] as const),
  ] as const;

  it.each(pairs)("are wrapped and unwrapped with %s keys", (_, publicPem, privatePem) => {
    const dataKey = createDataKey();
    const wrapped = wrapDataKey(readEncryptionPublicKey(publicPem), dataKey);
    expect(Buffer.from(wrapped).equals(wrapDataKey(readEncryptionPublicKey(publicPem), dataKey))).toBe(false);
    const privateKey = readEncryptionPrivateKey(Buffer.from(privatePem));
    expect(Buffer.compare(unwrapDataKey(privateKey, wrapped), dataKey)).toBe(0);
    for (const at of [0, 1, 40, 70, wrapped.length - 1]) {
      const changed = Uint8Array.from(wrapped);
      changed[at] = (changed[at] as number) ^ 1;
      expect(() => unwrapDataKey(privateKey, changed)).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^(DECRYPTION_FAILED|INVALID_ENCRYPTION)$/) }),
      );
    }
    for (const end of [0, 1, 64, 84, wrapped.length - 1]) {
      expect(() => unwrapDataKey(privateKey, wrapped.subarray(0, end))).toThrow(
        expect.objectContaining({ name: "ProtocolError" }),
      );
    }
  });

  it("are read from a private key behind a block of curve parameters", () => {
    expect(readEncryptionPrivateKey(java.private_pem_after_parameters).asymmetricKeyType).toBe("ec");
  });

  it("need a readable RSA or curve key", () => {
    const refusal = expect.objectContaining({ code: "INVALID_ENCRYPTION" });
    expect(() => readEncryptionPublicKey("no key")).toThrow(refusal);
    expect(() => readEncryptionPrivateKey(pem("rsa-a-public.pem"))).toThrow(refusal);
    const other = generateKeyPairSync("ed25519");
    expect(() => wrapDataKey(other.publicKey, createDataKey())).toThrow(refusal);
    expect(() => unwrapDataKey(createSecretKey(createDataKey()), createDataKey())).toThrow(refusal);
  });
});

describe("encrypted payloads", () => {
  const dataKey = createDataKey();
  const iv = createEncryptionIv();
  const payload = encryptPayload(dataKey, iv, Buffer.from("a payload"));

  it("are as long as the payload and its tag, and come back", () => {
    expect(payload).toHaveLength(9 + 16);
    expect(Buffer.from(decryptPayload(dataKey, iv, payload)).toString()).toBe("a payload");
    expect(Buffer.from(decryptPayload(createSecretKey(dataKey), iv, payload)).toString()).toBe("a payload");
    expect(decryptPayload(dataKey, iv, encryptPayload(createSecretKey(dataKey), iv, new Uint8Array(0)))).toHaveLength(
      0,
    );
  });

  it("are refused when a bit has changed, or with another key or vector", () => {
    const refusal = expect.objectContaining({ code: "DECRYPTION_FAILED" });
    for (let at = 0; at < payload.length; at++) {
      const changed = Uint8Array.from(payload);
      changed[at] = (changed[at] as number) ^ 0x10;
      expect(() => decryptPayload(dataKey, iv, changed)).toThrow(refusal);
    }
    expect(() => decryptPayload(createDataKey(), iv, payload)).toThrow(refusal);
    expect(() => decryptPayload(dataKey, createEncryptionIv(), payload)).toThrow(refusal);
  });

  it("are refused with sizes that cannot be", () => {
    const refusal = expect.objectContaining({ code: "INVALID_ENCRYPTION" });
    expect(() => decryptPayload(dataKey, iv, payload.subarray(0, 15))).toThrow(refusal);
    expect(() => decryptPayload(dataKey, iv.subarray(1), payload)).toThrow(refusal);
    expect(() => decryptPayload(dataKey.subarray(1), iv, payload)).toThrow(refusal);
    expect(() => encryptPayload(dataKey.subarray(1), iv, payload)).toThrow(
      expect.objectContaining({ code: "ENCRYPTION_FAILED" }),
    );
    expect(() => encryptPayload(dataKey, new Uint8Array(16), payload)).toThrow(
      expect.objectContaining({ code: "ENCRYPTION_FAILED" }),
    );
  });
});
