import { isIPv4 } from "node:net";

/**
 * Distinguished encoding rules (ITU-T X.690), as far as a certificate needs them. A value is
 *
 * | offset | size | meaning |
 * | --- | --- | --- |
 * | 0 | 1 | tag |
 * | 1 | 1 | length where below 128, else 128 + the number of length bytes that follow |
 * | 2 | 0-4 | length, big endian |
 * | .. | length | content |
 */
function value(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const length: number[] = [];
  for (let rest = body.length; rest > 0; rest >>>= 8) length.unshift(rest & 0xff);
  const header = body.length < 128 ? [tag, body.length] : [tag, 0x80 | length.length, ...length];
  return Buffer.concat([Buffer.from(header), body]);
}

/** SEQUENCE. */
export function sequence(...members: readonly Uint8Array[]): Buffer {
  return value(0x30, ...members);
}

/** SET. */
export function set(...members: readonly Uint8Array[]): Buffer {
  return value(0x31, ...members);
}

/** Constructed value with a context tag: `[tag] EXPLICIT`. */
export function explicit(tag: number, member: Uint8Array): Buffer {
  return value(0xa0 | tag, member);
}

/** Primitive value with a context tag: `[tag] IMPLICIT`. */
export function implicit(tag: number, content: Uint8Array): Buffer {
  return value(0x80 | tag, content);
}

/** INTEGER of at least 0, from its bytes, big endian. */
export function integer(bytes: Uint8Array): Buffer {
  const negative = ((bytes[0] ?? 0) & 0x80) !== 0;
  return value(0x02, negative ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

/** BOOLEAN TRUE, the only one written: false is the default wherever a certificate has one. */
export const booleanTrue: Buffer = value(0x01, Buffer.from([0xff]));

/** NULL. */
export const nothing: Buffer = value(0x05);

/** OCTET STRING. */
export function octetString(content: Uint8Array): Buffer {
  return value(0x04, content);
}

/** BIT STRING; `unusedBits` at the end of the last byte do not count. */
export function bitString(content: Uint8Array, unusedBits = 0): Buffer {
  return value(0x03, Buffer.from([unusedBits]), content);
}

/** UTF8String. */
export function utf8String(text: string): Buffer {
  return value(0x0c, Buffer.from(text, "utf8"));
}

/** GeneralizedTime, to the second, in UTC. */
export function generalizedTime(date: Date): Buffer {
  return value(0x18, Buffer.from(`${date.toISOString().slice(0, 19).replace(/[-:T]/gu, "")}Z`, "latin1"));
}

/** OBJECT IDENTIFIER from its numbers parted by dots. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const groups = [part & 0x7f];
    for (let more = Math.floor(part / 128); more > 0; more = Math.floor(more / 128))
      groups.unshift(0x80 | (more & 0x7f));
    bytes.push(...groups);
  }
  return value(0x06, Buffer.from(bytes));
}

/** The 4 or 16 bytes of an IP address. */
export function ipAddressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number));
  const [head = "", tail] = address.split("::");
  const groups = (text: string): readonly string[] => (text === "" ? [] : text.split(":"));
  const left = groups(head);
  const right = groups(tail ?? "");
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - left.length - right.length }, () => "0");
  return Buffer.from([...left, ...zeros, ...right].map((group) => group.padStart(4, "0")).join(""), "hex");
}
