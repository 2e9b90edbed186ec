import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { type FrameAction, type FrameHook, type ProxiedFrame, pass } from "./frame-hook.ts";
import { type ConnectionOwner, ProxiedConnection } from "./proxied-connection.ts";

/** Options of {@link startFaultProxy}. */
export interface FaultProxyOptions {
  /** `pulsar://host:port` of the broker; the scheme of the proxy's own address is the same. */
  readonly target: string;
  /** False for TLS, whose bytes hold no frames that could be read. Default: true. */
  readonly readsFrames?: boolean | undefined;
}

/**
 * A TCP proxy between client and broker that breaks connections on request: cut at any byte, stalled, split, delayed,
 * refused, or with frames dropped, changed and added. A broker with a loopback address answers lookups with "through
 * the service URL", so that a client stays on the proxy.
 */
export interface FaultProxy extends AsyncDisposable {
  /** What the client connects to. */
  readonly serviceUrl: string;
  /** The connections that are open, oldest first. */
  readonly connections: readonly ProxiedConnection[];
  /** Connections accepted so far, those that are closed included. */
  readonly acceptedConnections: number;
  /** Calls `hook` for each frame from now on; the returned function ends that. */
  onFrame(hook: FrameHook): () => void;
  /** Calls `listener` for each new connection before a byte of it has passed; the returned function ends that. */
  onConnection(listener: (connection: ProxiedConnection) => void): () => void;
  /** Refuses new connections (closed as soon as they are accepted) until told otherwise. */
  refuse(isRefusing: boolean): void;
  /** Sends new connections to another broker address, e.g. after a restart on another port. */
  retarget(target: string): void;
  /** Cuts all connections that are open. */
  cutAll(options?: { readonly reset?: boolean }): void;
  /** Cuts everything and stops listening. */
  close(): Promise<void>;
}

/** Starts a proxy on a free port of 127.0.0.1. */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const proxy = new TcpFaultProxy(options);
  await proxy.listen();
  return proxy;
}

class TcpFaultProxy implements FaultProxy, ConnectionOwner {
  target: { readonly host: string; readonly port: number };
  readonly readsFrames: boolean;
  readonly #scheme: string;
  readonly #server: Server;
  readonly #connections = new Set<ProxiedConnection>();
  readonly #hooks = new Set<FrameHook>();
  readonly #connectionListeners = new Set<(connection: ProxiedConnection) => void>();
  #accepted = 0;
  #isRefusing = false;

  constructor(options: FaultProxyOptions) {
    this.#scheme = new URL(options.target).protocol;
    this.target = addressOf(options.target);
    this.readsFrames = options.readsFrames ?? true;
    this.#server = createServer((socket) => this.#onSocket(socket));
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(0, "127.0.0.1", resolve);
    });
  }

  get serviceUrl(): string {
    return `${this.#scheme}//127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  get connections(): readonly ProxiedConnection[] {
    return [...this.#connections];
  }

  get acceptedConnections(): number {
    return this.#accepted;
  }

  onFrame(hook: FrameHook): () => void {
    this.#hooks.add(hook);
    return () => this.#hooks.delete(hook);
  }

  decide(frame: ProxiedFrame): FrameAction {
    for (const hook of this.#hooks) {
      const action = hook(frame);
      if (action.kind !== "pass") return action;
    }
    return pass;
  }

  onConnection(listener: (connection: ProxiedConnection) => void): () => void {
    this.#connectionListeners.add(listener);
    return () => this.#connectionListeners.delete(listener);
  }

  onClose(connection: ProxiedConnection): void {
    this.#connections.delete(connection);
  }

  refuse(isRefusing: boolean): void {
    this.#isRefusing = isRefusing;
  }

  retarget(target: string): void {
    this.target = addressOf(target);
  }

  cutAll(options?: { readonly reset?: boolean }): void {
    for (const connection of this.#connections) connection.cut(options);
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.cutAll();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #onSocket(socket: Socket): void {
    if (this.#isRefusing) {
      socket.on("error", () => undefined);
      socket.resetAndDestroy();
      return;
    }
    const connection = new ProxiedConnection(this.#accepted, socket, this);
    this.#accepted += 1;
    this.#connections.add(connection);
    for (const listener of this.#connectionListeners) listener(connection);
  }
}

function addressOf(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}
