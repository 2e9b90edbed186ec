import type { Socket } from "node:net";
import { encodeCommand } from "@pulsewire/protocol";
import { afterEach, expect, it } from "vitest";
import { CONNECTED, onCommands, RawClient, RawPeer } from "./raw-peer.ts";

const peers: RawPeer[] = [];
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()));
});

async function listen(onSocket: (socket: Socket) => void): Promise<RawPeer> {
  const peer = await RawPeer.listen(onSocket);
  peers.push(peer);
  return peer;
}

it("times out with a peer that accepts and says nothing", async () => {
  const peer = await listen(() => {});
  const { connection, ended } = new RawClient(peer.port, { connectionTimeoutMs: 50 });
  await expect(connection.open()).rejects.toMatchObject({ code: "TIMEOUT", message: /handshake/ });
  expect((await ended).code).toBe("TIMEOUT");
});

it("times out with a peer that sends half of CONNECTED", async () => {
  const peer = await listen((socket) => {
    onCommands(socket, () => socket.write(CONNECTED.subarray(0, CONNECTED.length / 2)));
  });
  const { connection } = new RawClient(peer.port, { connectionTimeoutMs: 50 });
  await expect(connection.open()).rejects.toMatchObject({ code: "TIMEOUT" });
});

it("connects although CONNECTED comes byte by byte", async () => {
  const peer = await listen((socket) => {
    socket.setNoDelay(true);
    const sendFrom = (offset: number): void => {
      if (offset < CONNECTED.length) socket.write(CONNECTED.subarray(offset, offset + 1), () => sendFrom(offset + 1));
    };
    onCommands(socket, () => sendFrom(0));
  });
  const { connection } = new RawClient(peer.port);
  await connection.open();
  expect(connection.isOpen).toBe(true);
  connection.close();
});

it.each([
  ["at once", (socket: Socket) => void socket.end()],
  ["by a reset", (socket: Socket) => void socket.resetAndDestroy()],
  ["after CONNECT came", (socket: Socket) => onCommands(socket, () => socket.end())],
  [
    "after half of CONNECTED",
    (socket: Socket) => onCommands(socket, () => socket.end(CONNECTED.subarray(0, CONNECTED.length / 2))),
  ],
  [
    "after an AUTH_CHALLENGE",
    (socket: Socket) => onCommands(socket, () => socket.end(encodeCommand("AUTH_CHALLENGE", { challenge: {} }))),
  ],
])("rejects with ConnectError when the peer closes %s", async (_step, misbehave) => {
  const peer = await listen(misbehave);
  const { connection, errors } = new RawClient(peer.port);
  await expect(connection.open()).rejects.toMatchObject({ code: "CONNECT" });
  expect(errors).toEqual([]);
});

it.each([
  ["an HTTP server", Buffer.from("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")],
  ["zeros", Buffer.alloc(64)],
  ["a frame of two gigabytes", Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 1])],
  ["a command larger than its frame", Buffer.from([0, 0, 0, 8, 0, 0, 0, 9, 1, 2, 3, 4])],
  ["a command that is no protobuf", Buffer.from([0, 0, 0, 8, 0, 0, 0, 4, 0xff, 0xff, 0xff, 0xff])],
  ["an unknown command", Buffer.from([0, 0, 0, 7, 0, 0, 0, 3, 0x08, 0xc8, 0x01])],
])("rejects with ConnectError and its cause when the peer turns out to be %s", async (_what, bytes) => {
  const peer = await listen((socket) => onCommands(socket, () => socket.write(bytes)));
  const { connection, errors } = new RawClient(peer.port);
  await expect(connection.open()).rejects.toMatchObject({ code: "CONNECT", cause: { name: "ProtocolError" } });
  expect(errors).toEqual([]);
});

it("rejects with ConnectError when nobody listens", async () => {
  const peer = await RawPeer.listen(() => {});
  await peer.close();
  const { connection } = new RawClient(peer.port);
  await expect(connection.open()).rejects.toMatchObject({ code: "CONNECT", message: /ECONNREFUSED/ });
});
