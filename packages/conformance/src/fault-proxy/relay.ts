import type { Socket } from "node:net";
import { type Command, type CommandType, decodeCommand, FrameDecoder, type FrameView } from "@pulsewire/protocol";
import type { Direction, FrameAction, ProxiedFrame } from "./frame-hook.ts";
import type { ProxiedConnection } from "./proxied-connection.ts";
import { type Shape, ShapedWriter } from "./shaped-writer.ts";

/** Far above any broker's limit: it is not for the proxy to refuse a frame. */
const maxMessageSizeBytes = 256 * 1024 * 1024;

/** What a relay reports to its connection. */
export interface RelayEvents {
  onFrame(frame: ProxiedFrame): FrameAction;
  /** The bytes before the cut are on their way. */
  onCut(): void;
}

/** One direction of a connection: cuts the bytes into frames, asks the hooks, and writes what they leave. */
export class Relay {
  readonly direction: Direction;
  readonly #connection: ProxiedConnection;
  readonly #source: Socket;
  readonly #events: RelayEvents;
  readonly #writer: ShapedWriter;
  readonly #decoder: FrameDecoder | undefined;
  #frames = 0;
  #isCutting = false;

  /** @param readsFrames false passes bytes on as they come, e.g. those of TLS; hooks are then never called */
  constructor(
    direction: Direction,
    connection: ProxiedConnection,
    sockets: { readonly source: Socket; readonly target: Socket },
    events: RelayEvents,
    readsFrames: boolean,
  ) {
    this.direction = direction;
    this.#connection = connection;
    this.#source = sockets.source;
    this.#events = events;
    this.#writer = new ShapedWriter(
      sockets.target,
      () => events.onCut(),
      () => this.#source.resume(),
    );
    this.#decoder = readsFrames ? new FrameDecoder({ maxMessageSizeBytes }) : undefined;
    this.#source.on("data", (chunk: Buffer) => this.#onData(chunk));
    this.#source.on("close", () => this.#writer.end());
  }

  /** Frames passed on so far. */
  get frames(): number {
    return this.#frames;
  }

  /** Bytes passed on so far. */
  get bytes(): number {
    return this.#writer.writtenBytes;
  }

  stall(): void {
    this.#writer.stall();
    this.#source.pause();
  }

  resume(): void {
    this.#writer.resume();
  }

  shape(shape: Shape): void {
    this.#writer.shape(shape);
  }

  cutAfter(bytes: number): void {
    this.#writer.limit(bytes);
  }

  inject(bytes: Uint8Array): void {
    this.#writer.write(Buffer.from(bytes));
  }

  #onData(chunk: Buffer): void {
    if (this.#isCutting) return;
    if (this.#decoder === undefined) this.#writer.write(chunk);
    else this.#decoder.decode(chunk, (view) => this.#onFrame(view));
    if (this.#writer.isBusy) this.#source.pause();
  }

  #onFrame(view: FrameView): void {
    if (this.#isCutting) return;
    const bytes = view.buffer.subarray(view.commandStart - 8, view.end);
    const frame = new DecodedFrame(this.direction, this.#connection, bytes, 8 + view.commandEnd - view.commandStart);
    const action = this.#events.onFrame(frame);
    switch (action.kind) {
      case "pass":
        this.#frames += 1;
        this.#writer.write(bytes);
        return;
      case "drop":
        return;
      case "replace":
        for (const part of action.bytes) this.#writer.write(Buffer.from(part));
        return;
      case "cut":
        this.#isCutting = true;
        this.#writer.limitAfterQueued(action.bytes);
        this.#writer.write(bytes);
        return;
      default:
        action satisfies never;
    }
  }
}

class DecodedFrame implements ProxiedFrame {
  readonly direction: Direction;
  readonly connection: ProxiedConnection;
  readonly bytes: Buffer;
  readonly payloadStart: number;
  #command: Command | undefined;

  constructor(direction: Direction, connection: ProxiedConnection, bytes: Buffer, payloadStart: number) {
    this.direction = direction;
    this.connection = connection;
    this.bytes = bytes;
    this.payloadStart = payloadStart;
  }

  get command(): Command {
    this.#command ??= decodeCommand(this.bytes, 8, this.payloadStart);
    return this.#command;
  }

  get type(): CommandType {
    return this.command.type;
  }
}
