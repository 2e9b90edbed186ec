import { CRC32C_TABLES } from "./crc32c-table.ts";

/** The module assembled from `crc32c.wat`; a test assembles that text again and compares. */
export const CRC32C_MODULE_BASE64 =
  "AGFzbQEAAAABCAFgA39/fwF/AwIBAAUDAQACBxMCBm1lbW9yeQIABnVwZGF0ZQAACtUCAdICAQV/IAJBEGshAwJAA0AgASADSg0BIAAgASgCAHMhBCABKAIEIQUgASgCCCEGIAEoAgwhByAEQQJ0QfwHcSgCgHggBEEGdkH8B3EoAoBwcyAEQQ52QfwHcSgCgGggBEEWdkH8B3EoAoBgc3MgBUECdEH8B3EoAoBYIAVBBnZB/AdxKAKAUHMgBUEOdkH8B3EoAoBIIAVBFnZB/AdxKAKAQHNzcyAGQQJ0QfwHcSgCgDggBkEGdkH8B3EoAoAwcyAGQQ52QfwHcSgCgCggBkEWdkH8B3EoAoAgc3MgB0ECdEH8B3EoAoAYIAdBBnZB/AdxKAKAEHMgB0EOdkH8B3EoAoAIIAdBFnZB/AdxKAIAc3NzcyEAIAFBEGohAQwACwsCQANAIAEgAk4NASAAQQh2IAAgAS0AAHNB/wFxQQJ0KAIAcyEAIAFBAWohAQwACwsgAAs=";

/** Bytes of input that fit behind the tables in the module's memory of two pages. */
const INPUT_AT = 16 * 1024;
const INPUT_LIMIT = 2 * 65536 - INPUT_AT;

/** The part of the global WebAssembly object in use here: the language's own library of types leaves it to the host. */
interface WebAssemblyHost {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
  ) => {
    readonly exports: {
      readonly memory: { readonly buffer: ArrayBuffer };
      readonly update: (register: number, start: number, end: number) => number;
    };
  };
}

/** A CRC-32C over a range of bytes, going on from a previous checksum. */
export type Crc32cFunction = (buf: Uint8Array, start: number, end: number, previous: number) => number;

/**
 * Compiles the module and returns its function, or undefined where WebAssembly is missing or forbidden. Synchronous: the
 * module is so small that compiling takes well under a millisecond.
 */
export function createCrc32cWasm(): Crc32cFunction | undefined {
  const host = (globalThis as { readonly WebAssembly?: WebAssemblyHost }).WebAssembly;
  if (host === undefined) return undefined;
  try {
    const { memory, update } = new host.Instance(new host.Module(Buffer.from(CRC32C_MODULE_BASE64, "base64"))).exports;
    new Int32Array(memory.buffer, 0, CRC32C_TABLES.length).set(CRC32C_TABLES);
    const input = new Uint8Array(memory.buffer, INPUT_AT);
    return (buf, start, end, previous) => {
      let register = ~previous;
      for (let at = start; at < end; at += INPUT_LIMIT) {
        const stop = Math.min(end, at + INPUT_LIMIT);
        input.set(buf.subarray(at, stop));
        register = update(register, INPUT_AT, INPUT_AT + stop - at);
      }
      return ~register >>> 0;
    };
  } catch {
    // A content security policy may forbid compiling; tables do the same work more slowly.
    return undefined;
  }
}
