import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";
import { ProtocolError } from "../errors.ts";

/** Bytes of a data key made here: AES-256. */
export const DATA_KEY_BYTES = 32;
/** Bytes of the initialisation vector, `encryption_param` in the metadata. */
export const ENCRYPTION_IV_BYTES = 12;
/** Bytes of the tag that follows the encrypted bytes. */
export const ENCRYPTION_TAG_BYTES = 16;

const KEY_SIZES = new Map([
  [16, "aes-128-gcm"],
  [24, "aes-192-gcm"],
  [32, "aes-256-gcm"],
] as const);

/** A fresh random data key; one is used for many messages, each with an initialisation vector of its own. */
export function createDataKey(): Uint8Array {
  return randomBytes(DATA_KEY_BYTES);
}

/** A fresh random initialisation vector. Never use one twice with the same data key. */
export function createEncryptionIv(): Uint8Array {
  return randomBytes(ENCRYPTION_IV_BYTES);
}

/**
 * Encrypts a payload, a batch container or a chunk, after compression: AES-GCM without additional data.
 *
 * | offset | size | meaning |
 * | --- | --- | --- |
 * | 0 | n | encrypted bytes |
 * | n | 16 | tag |
 *
 * @throws ProtocolError `ENCRYPTION_FAILED` for a key or vector of a wrong size
 */
export function encryptPayload(dataKey: Uint8Array | KeyObject, iv: Uint8Array, plain: Uint8Array): Uint8Array {
  const algorithm = algorithmFor(dataKey);
  if (algorithm === undefined) throw new ProtocolError("ENCRYPTION_FAILED", "data key is no AES key");
  if (iv.length !== ENCRYPTION_IV_BYTES) throw new ProtocolError("ENCRYPTION_FAILED", wrongIv(iv));
  const cipher = createCipheriv(algorithm, dataKey, iv);
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Decrypts what {@link encryptPayload} of any client made.
 *
 * @throws ProtocolError `INVALID_ENCRYPTION` for sizes that cannot be, `DECRYPTION_FAILED` for another key or changed bytes
 */
export function decryptPayload(dataKey: Uint8Array | KeyObject, iv: Uint8Array, payload: Uint8Array): Uint8Array {
  const algorithm = algorithmFor(dataKey);
  if (algorithm === undefined) throw new ProtocolError("INVALID_ENCRYPTION", "data key is no AES key");
  if (iv.length !== ENCRYPTION_IV_BYTES) throw new ProtocolError("INVALID_ENCRYPTION", wrongIv(iv));
  const tagAt = payload.length - ENCRYPTION_TAG_BYTES;
  if (tagAt < 0) {
    throw new ProtocolError(
      "INVALID_ENCRYPTION",
      `encrypted payload of ${payload.length} bytes has no room for its tag`,
    );
  }
  try {
    const decipher = createDecipheriv(algorithm, dataKey, iv, { authTagLength: ENCRYPTION_TAG_BYTES });
    decipher.setAuthTag(payload.subarray(tagAt));
    const plain = decipher.update(payload.subarray(0, tagAt));
    // Nothing is left to come in this mode: this only checks the tag.
    decipher.final();
    return plain;
  } catch (cause) {
    throw new ProtocolError("DECRYPTION_FAILED", "payload was encrypted with another key or has been changed", {
      cause,
    });
  }
}

function algorithmFor(dataKey: Uint8Array | KeyObject): "aes-128-gcm" | "aes-192-gcm" | "aes-256-gcm" | undefined {
  const size = dataKey instanceof Uint8Array ? dataKey.length : dataKey.symmetricKeySize;
  return size === 16 || size === 24 || size === 32 ? KEY_SIZES.get(size) : undefined;
}

function wrongIv(iv: Uint8Array): string {
  return `initialisation vector must have ${ENCRYPTION_IV_BYTES} bytes, has ${iv.length}`;
}
