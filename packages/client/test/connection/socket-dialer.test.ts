import { readFileSync } from "node:fs";
import type { AddressInfo, Server, Socket } from "node:net";
import { createServer, type TlsOptions as ServerOptions, type TLSSocket } from "node:tls";
import { afterEach, describe, expect, it } from "vitest";
import type { Transport, TransportEvents } from "../../src/connection/dialer.ts";
import { createSocketDialer, type TlsOptions } from "../../src/connection/socket-dialer.ts";
import { Deferred } from "../../src/util/deferred.ts";
import { RawPeer } from "../fault/raw-peer.ts";

const pem = (name: string): string => readFileSync(new URL(`certificates/${name}`, import.meta.url), "utf8");
const CA = pem("ca.pem");
const never = new AbortController().signal;

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** A TLS server that greets whoever gets through. */
async function listenTls(name: string, options: ServerOptions = {}): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer({ cert: pem(`${name}.pem`), key: pem(`${name}.key`), ...options }, (socket) => {
    socket.on("error", () => {});
    const { subject } = (socket as TLSSocket).getPeerCertificate();
    socket.write(`hello ${String(subject?.CN ?? "stranger")}`);
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  cleanups.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return (server.address() as AddressInfo).port;
}

/** Collects what a transport tells. */
class Events implements TransportEvents {
  readonly text = new Deferred<string>();
  readonly drained = new Deferred<void>();
  readonly closed = new Deferred<Error | undefined>();

  onData(chunk: Uint8Array): void {
    this.text.resolve(Buffer.from(chunk).toString());
  }

  onDrain(): void {
    this.drained.resolve();
  }

  onClose(error: Error | undefined): void {
    this.closed.resolve(error);
  }
}

async function dial(
  port: number,
  tls: TlsOptions | undefined,
  host = "localhost",
): Promise<{ transport: Transport; events: Events }> {
  const events = new Events();
  const transport = await createSocketDialer(tls)({ host, port }, events, never);
  cleanups.push(async () => {
    transport.destroy();
    await events.closed.promise;
  });
  return { transport, events };
}

// B74
describe("TLS", () => {
  it("accepts a certificate of a trusted authority that names the host", async () => {
    const port = await listenTls("localhost");
    const { events } = await dial(port, { ca: CA });
    expect(await events.text.promise).toBe("hello stranger");
  });

  it("accepts a certificate that names the address", async () => {
    const port = await listenTls("localhost");
    const { events } = await dial(port, { ca: [Buffer.from(CA)] }, "127.0.0.1");
    expect(await events.text.promise).toBe("hello stranger");
  });

  it("refuses a certificate that names another host, unless told otherwise", async () => {
    const port = await listenTls("elsewhere");
    await expect(dial(port, { ca: CA })).rejects.toMatchObject({ code: "ERR_TLS_CERT_ALTNAME_INVALID" });
    const { events } = await dial(port, { ca: CA, hostnameVerification: false });
    expect(await events.text.promise).toBe("hello stranger");
  });

  it("checks the name it is given instead of the host", async () => {
    const port = await listenTls("elsewhere");
    const { events } = await dial(port, { ca: CA, servername: "elsewhere.example" });
    expect(await events.text.promise).toBe("hello stranger");
    const other = await listenTls("localhost");
    await expect(dial(other, { ca: CA, servername: "elsewhere.example" })).rejects.toThrow();
  });

  it("refuses an authority it does not know, also without the check of the host, unless told otherwise", async () => {
    const port = await listenTls("localhost");
    await expect(dial(port, {})).rejects.toThrow();
    await expect(dial(port, { hostnameVerification: false })).rejects.toThrow();
    const { events } = await dial(port, { allowInsecureConnection: true });
    expect(await events.text.promise).toBe("hello stranger");
  });

  it("shows its own certificate where one is asked for", async () => {
    const port = await listenTls("localhost", { requestCert: true, ca: CA });
    const { events } = await dial(port, { ca: CA, cert: pem("client.pem"), key: pem("client.key") });
    expect(await events.text.promise).toBe("hello client");
  });

  it("rejects when the peer speaks no TLS", async () => {
    const peer = await RawPeer.listen((socket) => void socket.end("no TLS here"));
    cleanups.push(() => peer.close());
    await expect(dial(peer.port, { ca: CA }, "127.0.0.1")).rejects.toThrow();
  });
});

describe("TCP", () => {
  it("sends small writes without delay and tells of the peer's end", async () => {
    const peer = await RawPeer.listen((socket) => void socket.on("data", (data) => socket.end(data)));
    cleanups.push(() => peer.close());
    const { transport, events } = await dial(peer.port, undefined, "127.0.0.1");
    transport.write(Buffer.from("ping"));
    expect(await events.text.promise).toBe("ping");
    expect(await events.closed.promise).toBeUndefined();
  });

  it("tells when what was queued has gone", async () => {
    const peer = await RawPeer.listen((socket) => void socket.resume());
    cleanups.push(() => peer.close());
    const { transport, events } = await dial(peer.port, undefined, "127.0.0.1");
    transport.write(Buffer.alloc(8 * 1024 * 1024));
    expect(transport.queuedBytes).toBeGreaterThan(0);
    await events.drained.promise;
    expect(transport.queuedBytes).toBe(0);
  });

  it("gives up when aborted while dialling, and leaves no socket", async () => {
    const peer = await RawPeer.listen(() => {});
    cleanups.push(() => peer.close());
    const abort = new AbortController();
    const dialling = createSocketDialer(undefined)({ host: "127.0.0.1", port: peer.port }, new Events(), abort.signal);
    abort.abort(new Error("enough"));
    await expect(dialling).rejects.toThrow("enough");
    const late = createSocketDialer(undefined)({ host: "127.0.0.1", port: peer.port }, new Events(), abort.signal);
    await expect(late).rejects.toThrow("enough");
  });
});
