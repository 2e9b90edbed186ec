import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { encodeCommand } from "@pulsewire/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FaultProxy, startFaultProxy } from "../../src/fault-proxy/fault-proxy.ts";
import { pass } from "../../src/fault-proxy/frame-hook.ts";
import type { ProxiedConnection } from "../../src/fault-proxy/proxied-connection.ts";
import { dial, read, SilentBroker } from "./silent-broker.ts";

const ping = Buffer.from(encodeCommand("PING", {}));
const pong = Buffer.from(encodeCommand("PONG", {}));
const flow = (messagePermits: number): Buffer => Buffer.from(encodeCommand("FLOW", { consumerId: 1, messagePermits }));

describe("the fault proxy", () => {
  let broker: SilentBroker;
  let proxy: FaultProxy;
  let client: Socket;
  let peer: Socket;
  let connection: ProxiedConnection;

  beforeEach(async () => {
    broker = await SilentBroker.start();
    proxy = await startFaultProxy({ target: broker.serviceUrl });
    const accepted = broker.accept();
    client = await dial(proxy.serviceUrl);
    peer = await accepted;
    connection = proxy.connections[0] as ProxiedConnection;
  });

  afterEach(async () => {
    client.destroy();
    peer.destroy();
    await proxy.close();
    await broker[Symbol.asyncDispose]();
  });

  it("passes frames on unchanged in both directions", async () => {
    const sent = Buffer.concat([ping, flow(1), flow(2)]);
    const received = read(peer, sent.length);
    client.write(sent);
    expect(await received).toEqual(sent);
    const answer = read(client, pong.length);
    peer.write(pong);
    expect(await answer).toEqual(pong);
    expect(connection.frames("toBroker")).toBe(3);
    expect(connection.bytes("toBroker")).toBe(sent.length);
  });

  it("passes on a frame that arrives byte by byte", async () => {
    const received = read(peer, ping.length);
    for (const byte of ping) client.write(Buffer.of(byte));
    expect(await received).toEqual(ping);
  });

  it("shows each frame's command to its hooks", async () => {
    const seen: string[] = [];
    proxy.onFrame(({ direction, type }) => {
      seen.push(`${direction} ${type}`);
      return pass;
    });
    const received = read(peer, ping.length);
    client.write(ping);
    await received;
    const answer = read(client, pong.length);
    peer.write(pong);
    await answer;
    expect(seen).toEqual(["toBroker PING", "toClient PONG"]);
  });

  it("drops the frames that a hook drops and no others", async () => {
    proxy.onFrame(({ command }) =>
      command.type === "FLOW" && command.body.messagePermits === 2 ? { kind: "drop" } : pass,
    );
    const expected = Buffer.concat([flow(1), flow(3)]);
    const received = read(peer, expected.length);
    client.write(Buffer.concat([flow(1), flow(2), flow(3)]));
    expect(await received).toEqual(expected);
  });

  it("replaces a frame by what a hook gives", async () => {
    proxy.onFrame(({ type }) => (type === "PING" ? { kind: "replace", bytes: [flow(7), flow(8)] } : pass));
    const expected = Buffer.concat([flow(7), flow(8)]);
    const received = read(peer, expected.length);
    client.write(ping);
    expect(await received).toEqual(expected);
  });

  it("calls a hook no more once it is removed", async () => {
    proxy.onFrame(() => ({ kind: "drop" }))();
    const received = read(peer, ping.length);
    client.write(ping);
    expect(await received).toEqual(ping);
  });

  it("injects bytes behind the frames passed on", async () => {
    const received = read(client, pong.length + 3);
    peer.write(pong);
    await new Promise<void>((resolve) => {
      const poll = (): void => {
        if (connection.frames("toClient") === 1) resolve();
        else setImmediate(poll);
      };
      poll();
    });
    connection.inject("toClient", Buffer.from("abc"));
    expect(await received).toEqual(Buffer.concat([pong, Buffer.from("abc")]));
  });

  it.each([
    { where: "before", bytes: 0 },
    { where: "inside", bytes: 5 },
    { where: "right behind", bytes: ping.length },
  ])("cuts $where a frame", async ({ bytes }) => {
    proxy.onFrame(({ type }) => (type === "PING" ? { kind: "cut", bytes } : pass));
    const received = read(peer);
    const ended = once(client, "close");
    client.write(Buffer.concat([flow(1), ping, flow(2)]));
    expect(await received).toEqual(Buffer.concat([flow(1), ping.subarray(0, bytes)]));
    await ended;
    expect(proxy.connections).toEqual([]);
  });

  it("cuts after a number of bytes wherever that is", async () => {
    connection.cutAfter("toBroker", flow(1).length + 3);
    const received = read(peer);
    client.write(Buffer.concat([flow(1), flow(2)]));
    expect(await received).toEqual(Buffer.concat([flow(1), flow(2).subarray(0, 3)]));
  });

  it("resets both sides when told to", async () => {
    const failure = once(client, "error");
    connection.cut({ reset: true });
    expect((await failure)[0]).toMatchObject({ code: "ECONNRESET" });
    await connection.closed;
  });

  it("holds a stalled direction back without losing anything, while the other goes on", async () => {
    connection.stall("toBroker");
    client.write(ping);
    const answer = read(client, pong.length);
    peer.write(pong);
    expect(await answer).toEqual(pong);
    expect(connection.bytes("toBroker")).toBe(0);
    const received = read(peer, ping.length);
    connection.resume("toBroker");
    expect(await received).toEqual(ping);
  });

  it("splits a direction into pieces of the size asked for", async () => {
    connection.shape("toBroker", { chunkBytes: 1 });
    const sizes: number[] = [];
    peer.on("data", (chunk: Buffer) => sizes.push(chunk.length));
    const received = read(peer, ping.length);
    client.write(ping);
    expect(await received).toEqual(ping);
    expect(sizes.length).toBeGreaterThan(1);
  });

  it("delays a direction and keeps its order", async () => {
    connection.shape("toBroker", { delayMs: 5 });
    const expected = Buffer.concat([flow(1), flow(2)]);
    const received = read(peer, expected.length);
    const start = performance.now();
    client.write(flow(1));
    client.write(flow(2));
    expect(await received).toEqual(expected);
    expect(performance.now() - start).toBeGreaterThanOrEqual(9);
  });

  it("refuses connections until told otherwise", async () => {
    proxy.refuse(true);
    // A reset may come before or after the connection counts as made.
    const refused = connect({ host: "127.0.0.1", port: Number(new URL(proxy.serviceUrl).port) });
    refused.on("error", () => undefined);
    await new Promise((resolve) => refused.once("close", resolve));
    proxy.refuse(false);
    const accepted = broker.accept();
    const second = await dial(proxy.serviceUrl);
    (await accepted).destroy();
    second.destroy();
    expect(proxy.acceptedConnections).toBe(2);
  });

  it("tells of a new connection before a byte has passed", async () => {
    proxy.onConnection((fresh) => fresh.cutAfter("toBroker", 2));
    const accepted = broker.accept();
    const second = await dial(proxy.serviceUrl);
    const received = read(await accepted);
    second.write(ping);
    expect(await received).toEqual(ping.subarray(0, 2));
  });

  it("closes the client's side when the broker closes, after what the broker had sent", async () => {
    const received = read(client);
    peer.end(Buffer.concat([pong, pong]));
    expect(await received).toEqual(Buffer.concat([pong, pong]));
  });

  it("passes on 20 MB through a slow reader without holding them", async () => {
    const big = Buffer.alloc(1024 * 1024, 1);
    big.writeUInt32BE(big.length - 4, 0);
    big.writeUInt32BE(ping.readUInt32BE(4), 4);
    ping.copy(big, 8, 8);
    peer.pause();
    let written = 0;
    while (client.write(big) || written < 20) {
      written += 1;
      if (written >= 20) break;
    }
    const received = read(peer, 20 * big.length);
    peer.resume();
    expect((await received).length).toBe(20 * big.length);
  });
});

describe("the fault proxy without frames", () => {
  it("passes on bytes that are no frames", async () => {
    await using broker = await SilentBroker.start();
    await using proxy = await startFaultProxy({ target: broker.serviceUrl, readsFrames: false });
    const accepted = broker.accept();
    const client = await dial(proxy.serviceUrl);
    const peer = await accepted;
    const received = read(peer, 5);
    client.write("hello");
    expect((await received).toString()).toBe("hello");
    client.destroy();
  });
});
