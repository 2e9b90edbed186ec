import {
  type Command,
  type CommandBodies,
  type CommandType,
  decodeCommand,
  encodeCommand,
  FrameDecoder,
} from "@pulsewire/protocol";
import type { HostPort } from "../../src/connection/broker-address.ts";
import type { Dialer, Transport, TransportEvents } from "../../src/connection/dialer.ts";

/** One connection of a {@link FakeBroker}: what the client wrote, and a way to answer. */
export class FakePeer {
  readonly address: HostPort;
  readonly received: Command[] = [];
  /** Number of times that a group of frames was sent together. */
  flushes = 0;
  isDestroyed = false;
  /** Bytes that wait because the broker does not read. */
  queuedBytes = 0;
  readonly events: TransportEvents;
  readonly #decoder = new FrameDecoder();
  readonly #onCommand: (peer: FakePeer, command: Command) => void;
  #corked: Uint8Array[] | undefined;

  constructor(address: HostPort, events: TransportEvents, onCommand: (peer: FakePeer, command: Command) => void) {
    this.address = address;
    this.events = events;
    this.#onCommand = onCommand;
  }

  /** Sends a command to the client. */
  send<T extends CommandType>(type: T, body: CommandBodies[T]): void {
    this.sendBytes(encodeCommand(type, body));
  }

  sendBytes(bytes: Uint8Array): void {
    if (!this.isDestroyed) this.events.onData(bytes);
  }

  /** Ends the connection from the broker's side. */
  close(error?: Error): void {
    if (this.isDestroyed) return;
    this.isDestroyed = true;
    this.events.onClose(error);
  }

  /** The commands of one type that the client sent. */
  commands<T extends CommandType>(type: T): CommandBodies[T][] {
    return this.received.filter((command) => command.type === type).map((command) => command.body as CommandBodies[T]);
  }

  /** The newest command of one type. */
  last<T extends CommandType>(type: T): CommandBodies[T] {
    const body = this.commands(type).at(-1);
    if (body === undefined) throw new Error(`no ${type} came`);
    return body;
  }

  get transport(): Transport {
    const queuedBytes = (): number => this.queuedBytes;
    return {
      write: (bytes) => {
        if (this.#corked !== undefined) this.#corked.push(bytes);
        else this.#take([bytes]);
      },
      cork: () => {
        this.#corked ??= [];
      },
      uncork: () => {
        const bytes = this.#corked ?? [];
        this.#corked = undefined;
        this.#take(bytes);
      },
      get queuedBytes() {
        return queuedBytes();
      },
      destroy: () => {
        this.isDestroyed = true;
      },
    };
  }

  #take(chunks: readonly Uint8Array[]): void {
    if (chunks.length > 0) this.flushes += 1;
    for (const chunk of chunks) {
      this.#decoder.decode(chunk, ({ buffer, commandStart, commandEnd }) => {
        const command = decodeCommand(buffer, commandStart, commandEnd);
        this.received.push(command);
        this.#onCommand(this, command);
      });
    }
  }
}

/** Peers without sockets: answers CONNECT by itself unless told otherwise, everything else as the test says. */
export class FakeBroker {
  readonly peers: FakePeer[] = [];
  /** Addresses dialled, also those that failed. */
  readonly dialled: string[] = [];
  /** Addresses (`host:port`) that refuse a connection. */
  readonly refusing: Set<string> = new Set();
  /** What a refused connection fails with instead of a plain ECONNREFUSED. */
  refusal: Error | undefined;
  /** What CONNECT is answered with; undefined for silence. */
  connected: CommandBodies["CONNECTED"] | undefined = { serverVersion: "Pulsar Server", protocolVersion: 21 };
  /** Called for each command after the handshake. */
  onCommand: (peer: FakePeer, command: Command) => void = () => {};

  readonly dialer: Dialer = async (address, events) => {
    const name = `${address.host}:${address.port}`;
    this.dialled.push(name);
    if (this.refusing.has(name)) throw this.refusal ?? new Error(`connect ECONNREFUSED ${name}`);
    const peer = new FakePeer(address, events, (from, command) => this.#answer(from, command));
    this.peers.push(peer);
    return peer.transport;
  };

  /** The newest connection. */
  get peer(): FakePeer {
    const peer = this.peers.at(-1);
    if (peer === undefined) throw new Error("nobody has connected");
    return peer;
  }

  #answer(peer: FakePeer, command: Command): void {
    if (command.type !== "CONNECT") this.onCommand(peer, command);
    else if (this.connected !== undefined) {
      const body = this.connected;
      queueMicrotask(() => peer.send("CONNECTED", body));
    }
  }
}
