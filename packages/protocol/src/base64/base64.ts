/**
 * Standard base64 with padding, as the protocol's texts carry it. No Node module: runs in browsers too, and takes the
 * host's Buffer where there is one, which is far quicker for large payloads.
 */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALID = /^[A-Za-z0-9+/]*={0,2}$/;

interface BufferHost {
  readonly Buffer?: {
    from(bytes: ArrayBufferLike, offset: number, length: number): { toString(encoding: "base64"): string };
    from(text: string, encoding: "base64"): Uint8Array;
  };
}

const host = globalThis as unknown as BufferHost;

/** Bytes to padded base64 text. */
export function toBase64(bytes: Uint8Array): string {
  if (host.Buffer !== undefined) {
    return host.Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  }
  return encodeBase64(bytes);
}

/**
 * Base64 text to bytes, or undefined when the text is none: letters of the URL-safe alphabet, spaces and line breaks are
 * refused, missing padding is not.
 */
export function fromBase64(text: string): Uint8Array | undefined {
  if (!VALID.test(text)) return undefined;
  const unpadded = text.endsWith("==") ? text.length - 2 : text.endsWith("=") ? text.length - 1 : text.length;
  if (unpadded % 4 === 1) return undefined;
  // Padding, where it is written, completes a group of four.
  if (unpadded !== text.length && text.length % 4 !== 0) return undefined;
  if (host.Buffer !== undefined) {
    const bytes = host.Buffer.from(text, "base64");
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  return decodeBase64(text, unpadded);
}

/** {@link toBase64} without a host's help. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at;
    const group =
      ((bytes[at] as number) << 16) |
      (left > 1 ? (bytes[at + 1] as number) << 8 : 0) |
      (left > 2 ? (bytes[at + 2] as number) : 0);
    text += ALPHABET.charAt(group >> 18) + ALPHABET.charAt((group >> 12) & 63);
    text += left > 1 ? ALPHABET.charAt((group >> 6) & 63) : "=";
    text += left > 2 ? ALPHABET.charAt(group & 63) : "=";
  }
  return text;
}

/** {@link fromBase64} without a host's help, of `length` letters already checked. */
export function decodeBase64(text: string, length: number): Uint8Array {
  const bytes = new Uint8Array(Math.floor((length * 3) / 4));
  let group = 0;
  let at = 0;
  for (let i = 0; i < length; i++) {
    group = (group << 6) | ALPHABET.indexOf(text.charAt(i));
    if (i % 4 === 3) {
      bytes[at++] = (group >> 16) & 255;
      bytes[at++] = (group >> 8) & 255;
      bytes[at++] = group & 255;
      group = 0;
    }
  }
  if (length % 4 === 2) bytes[at] = (group >> 4) & 255;
  if (length % 4 === 3) {
    bytes[at++] = (group >> 10) & 255;
    bytes[at] = (group >> 2) & 255;
  }
  return bytes;
}
