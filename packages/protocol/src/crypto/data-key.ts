import {
  constants,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  privateDecrypt,
  publicEncrypt,
} from "node:crypto";
import { ProtocolError } from "../errors.ts";
import { unwrapByEcies, wrapByEcies } from "./ecies.ts";

/** OAEP with SHA-1 and MGF1-SHA-1, as all clients use it. */
const OAEP = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" } as const;

/** Some tools write the curve's parameters as a block of their own before the key. */
const PARAMETERS_BLOCK = /-----BEGIN EC PARAMETERS-----[^-]*-----END EC PARAMETERS-----\s*/g;

/**
 * Reads a public key in PEM: SPKI, PKCS#1 or a certificate; RSA or a curve key.
 *
 * @throws ProtocolError `INVALID_ENCRYPTION`
 */
export function readEncryptionPublicKey(pem: string | Uint8Array): KeyObject {
  return readKey("public", pem, createPublicKey);
}

/**
 * Reads an unencrypted private key in PEM: PKCS#8, PKCS#1 or SEC1; RSA or a curve key.
 *
 * @throws ProtocolError `INVALID_ENCRYPTION`
 */
export function readEncryptionPrivateKey(pem: string | Uint8Array): KeyObject {
  return readKey("private", pem, createPrivateKey);
}

function readKey(kind: "public" | "private", pem: string | Uint8Array, create: (text: string) => KeyObject): KeyObject {
  const text = typeof pem === "string" ? pem : Buffer.from(pem).toString("utf8");
  let key: KeyObject;
  try {
    key = create(text.replace(PARAMETERS_BLOCK, ""));
  } catch (cause) {
    throw new ProtocolError("INVALID_ENCRYPTION", `${kind} key cannot be read as PEM`, { cause });
  }
  familyOf(key);
  return key;
}

/**
 * Encrypts a data key for the holder of a key pair: `encryption_keys[].value` in the metadata. RSA keys by OAEP, curve
 * keys by ECIES, which only the Java client reads besides this one.
 *
 * @throws ProtocolError `ENCRYPTION_FAILED`, `INVALID_ENCRYPTION` for a key of another kind
 */
export function wrapDataKey(publicKey: KeyObject, dataKey: Uint8Array): Uint8Array {
  const family = familyOf(publicKey);
  try {
    return family === "rsa" ? publicEncrypt({ key: publicKey, ...OAEP }, dataKey) : wrapByEcies(publicKey, dataKey);
  } catch (cause) {
    throw typed("ENCRYPTION_FAILED", "data key cannot be encrypted with this public key", cause);
  }
}

/**
 * Decrypts a data key with the private key.
 *
 * @throws ProtocolError `DECRYPTION_FAILED` for another key or changed bytes, `INVALID_ENCRYPTION` for what cannot be one
 */
export function unwrapDataKey(privateKey: KeyObject, wrapped: Uint8Array): Uint8Array {
  const family = familyOf(privateKey);
  try {
    return family === "rsa"
      ? privateDecrypt({ key: privateKey, ...OAEP }, wrapped)
      : unwrapByEcies(privateKey, wrapped);
  } catch (cause) {
    throw typed("DECRYPTION_FAILED", "data key was encrypted for another key or has been changed", cause);
  }
}

function familyOf(key: KeyObject): "rsa" | "ec" {
  const family = key.asymmetricKeyType;
  if (family === "rsa" || family === "ec") return family;
  throw new ProtocolError("INVALID_ENCRYPTION", `keys of type ${family ?? key.type} cannot wrap a data key`);
}

function typed(code: "ENCRYPTION_FAILED" | "DECRYPTION_FAILED", reason: string, cause: unknown): ProtocolError {
  return ProtocolError.isProtocolError(cause) ? cause : new ProtocolError(code, reason, { cause });
}
