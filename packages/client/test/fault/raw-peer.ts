import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { type Command, decodeCommand, encodeCommand, FrameDecoder } from "@pulsewire/protocol";
import { noAuthentication } from "../../src/auth/authentication.ts";
import { BinaryConnection } from "../../src/connection/binary-connection.ts";
import { createSocketDialer } from "../../src/connection/socket-dialer.ts";
import type { PulsarError } from "../../src/errors.ts";
import { systemClock } from "../../src/util/clock.ts";
import { Deferred } from "../../src/util/deferred.ts";
import { type Logger, silentLogger } from "../../src/util/logger.ts";

/** A bare server whose peer misbehaves as a test says. */
export class RawPeer {
  readonly port: number;
  readonly sockets: Socket[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  /** @param onSocket is given each connection before a byte was read */
  static async listen(onSocket: (socket: Socket) => void): Promise<RawPeer> {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      socket.on("error", () => {});
      sockets.push(socket);
      onSocket(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const peer = new RawPeer(server);
    Object.assign(peer, { sockets });
    return peer;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/** Calls for each command that a client sends on a socket. */
export function onCommands(socket: Socket, onCommand: (command: Command) => void): void {
  const decoder = new FrameDecoder();
  socket.on("data", (chunk) => {
    decoder.decode(chunk, ({ buffer, commandStart, commandEnd }) => {
      onCommand(decodeCommand(buffer, commandStart, commandEnd));
    });
  });
}

/** Answers CONNECT and hands everything else on. */
export function afterHandshake(socket: Socket, onCommand: (command: Command) => void): void {
  onCommands(socket, (command) => {
    if (command.type === "CONNECT") socket.write(CONNECTED);
    else onCommand(command);
  });
}

/** The frame of a plain CONNECTED. */
export const CONNECTED: Uint8Array = encodeCommand("CONNECTED", { serverVersion: "raw", protocolVersion: 21 });

/** A connection to the peer over real sockets, with short times. */
export class RawClient {
  readonly connection: BinaryConnection;
  /** The error that the connection ended with. */
  readonly ended: Promise<PulsarError>;
  /** Error lines of the log: a defect of ours shows here. */
  readonly errors: string[] = [];

  constructor(port: number, options: { connectionTimeoutMs?: number; keepAliveIntervalMs?: number } = {}) {
    const ended = new Deferred<PulsarError>();
    const logger: Logger = { ...silentLogger, error: (message) => void this.errors.push(message) };
    const host = { host: "127.0.0.1", port };
    this.ended = ended.promise;
    this.connection = new BinaryConnection({
      id: 1,
      address: { logical: host, physical: host },
      dialer: createSocketDialer(undefined),
      authentication: noAuthentication,
      clock: systemClock,
      logger,
      connectionTimeoutMs: options.connectionTimeoutMs ?? 10_000,
      keepAliveIntervalMs: options.keepAliveIntervalMs ?? 30_000,
      requestTimeoutMs: 10_000,
      onClosed: (_connection, error) => ended.resolve(error),
    });
  }
}
