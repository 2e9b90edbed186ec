import type { Command, CommandType } from "@pulsewire/protocol";
import type { ProxiedConnection } from "./proxied-connection.ts";

/** Which way bytes go through the proxy. */
export type Direction = "toBroker" | "toClient";

/** A whole frame on its way through the proxy. */
export interface ProxiedFrame {
  readonly direction: Direction;
  readonly connection: ProxiedConnection;
  /** All bytes of the frame, its sizes included. Not to be changed. */
  readonly bytes: Buffer;
  /** Offset in `bytes` at which the payload part begins; the length of `bytes` where there is none. */
  readonly payloadStart: number;
  /** The command, decoded when first asked for. */
  readonly command: Command;
  readonly type: CommandType;
}

/**
 * What becomes of a frame: passed on, dropped, replaced by other bytes (none, one or several frames, or garbage), or the
 * connection is cut after the first `bytes` bytes of it: 0 cuts before the frame, its length right behind it.
 */
export type FrameAction =
  | { readonly kind: "pass" }
  | { readonly kind: "drop" }
  | { readonly kind: "replace"; readonly bytes: readonly Uint8Array[] }
  | { readonly kind: "cut"; readonly bytes: number };

/** Called for each frame of every connection, in order; the first hook that does not pass decides. */
export type FrameHook = (frame: ProxiedFrame) => FrameAction;

/** The action that changes nothing. */
export const pass: FrameAction = { kind: "pass" };
