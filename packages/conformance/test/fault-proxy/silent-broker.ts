import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A bare server that stands for the broker: it keeps what it received and lets the test answer. */
export class SilentBroker implements AsyncDisposable {
  readonly sockets: Socket[] = [];
  readonly #server = createServer((socket) => {
    this.sockets.push(socket);
    socket.on("error", () => undefined);
    // The end of the other side must be read to be seen.
    socket.resume();
  });

  static async start(): Promise<SilentBroker> {
    const broker = new SilentBroker();
    broker.#server.listen(0, "127.0.0.1");
    await once(broker.#server, "listening");
    return broker;
  }

  get serviceUrl(): string {
    return `pulsar://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  /** The next connection. */
  async accept(): Promise<Socket> {
    const known = this.sockets.shift();
    if (known !== undefined) return known;
    await once(this.#server, "connection");
    return this.accept();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}

/** Connects to a `pulsar://` address. */
export async function dial(serviceUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(serviceUrl);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

/** Collects `bytes` bytes, or all until the socket closes. */
export async function read(socket: Socket, bytes = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  return await new Promise((resolve) => {
    const finish = (): void => {
      socket.off("data", onData);
      socket.off("close", finish);
      resolve(Buffer.concat(chunks));
    };
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= bytes) finish();
    };
    socket.on("data", onData);
    socket.on("close", finish);
  });
}
