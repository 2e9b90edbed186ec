import { connect, type Socket } from "node:net";
import type { Direction, FrameAction, ProxiedFrame } from "./frame-hook.ts";
import { Relay } from "./relay.ts";
import type { Shape } from "./shaped-writer.ts";

/** What a connection needs from its proxy. */
export interface ConnectionOwner {
  readonly target: { readonly host: string; readonly port: number };
  readonly readsFrames: boolean;
  /** Asks the hooks. */
  decide(frame: ProxiedFrame): FrameAction;
  onClose(connection: ProxiedConnection): void;
}

/** A client's connection through the proxy: two sockets and the two directions between them. */
export class ProxiedConnection {
  /** Counts the connections of a proxy from 0. */
  readonly id: number;
  readonly #client: Socket;
  readonly #broker: Socket;
  readonly #relays: Readonly<Record<Direction, Relay>>;
  readonly #closed: Promise<void>;

  constructor(id: number, client: Socket, owner: ConnectionOwner) {
    this.id = id;
    this.#client = client;
    const broker = connect(owner.target);
    this.#broker = broker;
    client.setNoDelay(true);
    broker.setNoDelay(true);
    const events = { onFrame: (frame: ProxiedFrame) => owner.decide(frame), onCut: () => this.cut() };
    this.#relays = {
      toBroker: new Relay("toBroker", this, { source: client, target: broker }, events, owner.readsFrames),
      toClient: new Relay("toClient", this, { source: broker, target: client }, events, owner.readsFrames),
    };
    for (const socket of [client, broker]) {
      // Resets are what this proxy is for; "close" follows, upon which the other side is closed too.
      socket.on("error", () => undefined);
    }
    this.#closed = new Promise((resolve) => {
      let open = 2;
      const onClose = (): void => {
        open -= 1;
        if (open > 0) return;
        owner.onClose(this);
        resolve();
      };
      client.once("close", onClose);
      broker.once("close", onClose);
    });
  }

  /** Resolves when both sockets are closed. */
  get closed(): Promise<void> {
    return this.#closed;
  }

  /** Frames passed on in a direction. */
  frames(direction: Direction): number {
    return this.#relays[direction].frames;
  }

  /** Bytes passed on in a direction. */
  bytes(direction: Direction): number {
    return this.#relays[direction].bytes;
  }

  /** Closes both sides at once; with `reset` both see a reset instead of an end. */
  cut(options: { readonly reset?: boolean } = {}): void {
    for (const socket of [this.#client, this.#broker]) {
      if (options.reset === true && !socket.destroyed && !socket.connecting) socket.resetAndDestroy();
      else socket.destroy();
    }
  }

  /** Passes on `bytes` more bytes in a direction, then cuts, wherever in a frame that is. */
  cutAfter(direction: Direction, bytes: number): void {
    this.#relays[direction].cutAfter(bytes);
  }

  /** Stops a direction: nothing is read, nothing is lost, both sockets stay open. */
  stall(direction: Direction): void {
    this.#relays[direction].stall();
  }

  /** Ends a stall: what waited is passed on. */
  resume(direction: Direction): void {
    this.#relays[direction].resume();
  }

  /** Splits or delays a direction from now on; `{}` ends that. */
  shape(direction: Direction, shape: Shape): void {
    this.#relays[direction].shape(shape);
  }

  /** Adds bytes of the test's own behind the frames passed on so far. */
  inject(direction: Direction, bytes: Uint8Array): void {
    this.#relays[direction].inject(bytes);
  }
}
