import {
  createHash,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  timingSafeEqual,
} from "node:crypto";
import { ProtocolError } from "../errors.ts";

/** Bytes of the key for the message authentication code. */
const MAC_KEY_BYTES = 16;
/** Bytes of the code: HMAC with SHA-1. */
const MAC_BYTES = 20;
/** Length in bits of the (absent) encoding parameter, which the code covers. */
const NO_PARAMETER_LENGTH = Buffer.alloc(8);
const UNCOMPRESSED_POINT = 0x04;

/**
 * Wraps a data key for a curve key the way the Java client's library does under the name ECIES: an ephemeral key, Diffie-
 * Hellman, KDF2 with SHA-1, exclusive or, HMAC with SHA-1, no further parameters.
 *
 * | part | size |
 * | --- | --- |
 * | ephemeral public point, uncompressed | 65 for P-256 |
 * | data key xor keystream | as the data key |
 * | code over the part before, with no parameter | 20 |
 */
export function wrapByEcies(publicKey: KeyObject, dataKey: Uint8Array): Uint8Array {
  const namedCurve = publicKey.asymmetricKeyDetails?.namedCurve;
  if (namedCurve === undefined) throw new ProtocolError("ENCRYPTION_FAILED", "curve of the public key has no name");
  const ephemeral = generateKeyPairSync("ec", { namedCurve });
  const point = pointOf(spkiOf(ephemeral.publicKey));
  const secret = diffieHellman({ privateKey: ephemeral.privateKey, publicKey });
  const { macKey, stream } = deriveKeys(point, secret, dataKey.length);
  const masked = xor(dataKey, stream);
  return Buffer.concat([point, masked, codeOf(macKey, masked)]);
}

/** Unwraps what {@link wrapByEcies}, or the Java client, made. Throws on any defect; the caller types the error. */
export function unwrapByEcies(privateKey: KeyObject, wrapped: Uint8Array): Uint8Array {
  const spki = spkiOf(createPublicKey(privateKey as unknown as Parameters<typeof createPublicKey>[0]));
  const pointBytes = pointOf(spki).length;
  if (wrapped.length <= pointBytes + MAC_BYTES || wrapped[0] !== UNCOMPRESSED_POINT) {
    throw new ProtocolError(
      "INVALID_ENCRYPTION",
      "wrapped data key is too short, or does not start with a curve point",
    );
  }
  const point = wrapped.subarray(0, pointBytes);
  const masked = wrapped.subarray(pointBytes, wrapped.length - MAC_BYTES);
  // The own public key with its point exchanged is the sender's ephemeral key: the same curve, whatever its parameters.
  const ephemeral = createPublicKey({
    key: Buffer.concat([spki.subarray(0, spki.length - pointBytes), point]),
    format: "der",
    type: "spki",
  });
  const secret = diffieHellman({ privateKey, publicKey: ephemeral });
  const { macKey, stream } = deriveKeys(point, secret, masked.length);
  if (!timingSafeEqual(codeOf(macKey, masked), wrapped.subarray(wrapped.length - MAC_BYTES))) {
    throw new ProtocolError("DECRYPTION_FAILED", "data key was wrapped for another key or has been changed");
  }
  return xor(masked, stream);
}

/** KDF2 with SHA-1 over the ephemeral point and the shared secret: first the code's key, then the keystream. */
function deriveKeys(
  point: Uint8Array,
  secret: Uint8Array,
  streamBytes: number,
): { readonly macKey: Uint8Array; readonly stream: Uint8Array } {
  const blocks: Uint8Array[] = [];
  const counter = Buffer.alloc(4);
  for (let made = 0; made < MAC_KEY_BYTES + streamBytes; made += 20) {
    counter.writeUInt32BE(blocks.length + 1);
    blocks.push(createHash("sha1").update(point).update(secret).update(counter).digest());
  }
  const derived = Buffer.concat(blocks);
  return {
    macKey: derived.subarray(0, MAC_KEY_BYTES),
    stream: derived.subarray(MAC_KEY_BYTES, MAC_KEY_BYTES + streamBytes),
  };
}

function codeOf(macKey: Uint8Array, masked: Uint8Array): Uint8Array {
  return createHmac("sha1", macKey).update(masked).update(NO_PARAMETER_LENGTH).digest();
}

function xor(bytes: Uint8Array, stream: Uint8Array): Uint8Array {
  return bytes.map((byte, i) => byte ^ (stream[i] ?? 0));
}

function spkiOf(key: KeyObject): Uint8Array {
  return key.export({ format: "der", type: "spki" });
}

/** The public point at the end of a SubjectPublicKeyInfo: SEQUENCE { algorithm SEQUENCE, BIT STRING { 0, point } }. */
function pointOf(spki: Uint8Array): Uint8Array {
  const algorithmAt = contentOf(spki, 0).start;
  const bits = contentOf(spki, contentOf(spki, algorithmAt).end);
  return spki.subarray(bits.start + 1, bits.end);
}

/** Where the content of the DER element at an offset starts and ends. The input comes from Node, not from outside. */
function contentOf(der: Uint8Array, at: number): { readonly start: number; readonly end: number } {
  const first = der[at + 1] ?? 0;
  if (first < 0x80) return { start: at + 2, end: at + 2 + first };
  const lengthBytes = first & 0x7f;
  let length = 0;
  for (let i = 0; i < lengthBytes; i++) length = length * 256 + (der[at + 2 + i] ?? 0);
  const start = at + 2 + lengthBytes;
  return { start, end: start + length };
}
