import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { type CommandBodies, encodeCommand, ServerError } from "@pulsewire/protocol";
import { afterEach, describe, expect, it } from "vitest";
import type { RequestType } from "../../src/connection/request-types.ts";
import { afterHandshake, RawClient, RawPeer } from "./raw-peer.ts";

const peers: RawPeer[] = [];
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()));
});

async function connect(
  onSocket: (socket: Socket) => void,
  options: { keepAliveIntervalMs?: number } = {},
): Promise<RawClient> {
  const peer = await RawPeer.listen(onSocket);
  peers.push(peer);
  const client = new RawClient(peer.port, options);
  await client.connection.open();
  return client;
}

/** One request of each kind, with as little in it as the protocol allows. */
const requests: { readonly [T in RequestType]: Omit<CommandBodies[T], "requestId"> } = {
  PRODUCER: { topic: "t", producerId: 1 },
  SUBSCRIBE: { topic: "t", subscription: "s", subType: 0, consumerId: 1 },
  UNSUBSCRIBE: { consumerId: 1 },
  CLOSE_PRODUCER: { producerId: 1 },
  CLOSE_CONSUMER: { consumerId: 1 },
  SEEK: { consumerId: 1, messagePublishTime: 1 },
  ACK: { consumerId: 1, ackType: 0, messageId: [{ ledgerId: 1, entryId: 1 }] },
  LOOKUP: { topic: "t" },
  PARTITIONED_METADATA: { topic: "t" },
  CONSUMER_STATS: { consumerId: 1 },
  GET_LAST_MESSAGE_ID: { consumerId: 1 },
  GET_TOPICS_OF_NAMESPACE: { namespace: "public/default" },
  GET_SCHEMA: { topic: "t" },
  GET_OR_CREATE_SCHEMA: { topic: "t", schema: { name: "", schemaData: new Uint8Array(), type: 1 } },
};
const types = Object.keys(requests) as RequestType[];

describe.each(types)("%s", (type) => {
  const ask = (client: RawClient, timeoutMs?: number): Promise<unknown> =>
    client.connection.request(type, requests[type] as never, { timeoutMs });

  it("rejects with the typed error when the broker answers ERROR", async () => {
    const client = await connect((socket) => {
      afterHandshake(socket, ({ body }) => {
        const { requestId = -2 } = body as { requestId?: number };
        socket.write(encodeCommand("ERROR", { requestId, error: ServerError.PersistenceError, message: "disk full" }));
      });
    });
    await expect(ask(client)).rejects.toMatchObject({ code: "BROKER_PERSISTENCE", message: "disk full" });
    expect(client.connection.isOpen).toBe(true);
    client.connection.close();
  });

  it("times out when the broker answers another request instead", async () => {
    const client = await connect((socket) => {
      afterHandshake(socket, () => socket.write(encodeCommand("SUCCESS", { requestId: 123_456 })));
    });
    await expect(ask(client, 50)).rejects.toMatchObject({ code: "TIMEOUT" });
    expect(client.connection.isOpen).toBe(true);
    client.connection.close();
  });

  it("rejects when the broker closes instead of answering", async () => {
    const client = await connect((socket) => afterHandshake(socket, () => socket.end()));
    await expect(ask(client)).rejects.toMatchObject({ code: "NOT_CONNECTED" });
    expect((await client.ended).code).toBe("NOT_CONNECTED");
  });
});

describe("a broken stream", () => {
  it.each([
    ["half a frame and the end", (socket: Socket) => void socket.end(Buffer.from([0, 0, 0, 50, 0, 0]))],
    ["a reset", (socket: Socket) => void socket.resetAndDestroy()],
    ["garbage", (socket: Socket) => void socket.write(Buffer.from("no such thing as a frame"))],
    ["an oversized frame", (socket: Socket) => void socket.write(Buffer.from([0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 2]))],
  ])("ends the connection and all requests: %s", async (_what, misbehave) => {
    const client = await connect((socket) => afterHandshake(socket, () => misbehave(socket)));
    const pending = [1, 2, 3].map(() => client.connection.request("LOOKUP", { topic: "t" }));
    for (const { status, reason } of (await Promise.allSettled(pending)) as PromiseRejectedResult[]) {
      expect(status).toBe("rejected");
      expect(reason).toMatchObject({ code: "NOT_CONNECTED" });
    }
    expect(client.connection.isOpen).toBe(false);
    expect(client.errors).toEqual([]);
  });

  it("of random bytes ends the connection, or is waited out as an unfinished frame, but never crashes", async () => {
    for (let round = 0; round < 50; round++) {
      const bytes = randomBytes(1 + round * 40);
      const client = await connect((socket) => afterHandshake(socket, () => void socket.end(bytes)));
      const request = client.connection.request("LOOKUP", { topic: "t" });
      await expect(request, bytes.toString("hex")).rejects.toMatchObject({ code: "NOT_CONNECTED" });
      expect(client.errors).toEqual([]);
    }
  });
});

describe("life", () => {
  it("is asked for, and a peer that stays silent is given up", async () => {
    const seen: string[] = [];
    const client = await connect((socket) => afterHandshake(socket, ({ type }) => seen.push(type)), {
      keepAliveIntervalMs: 30,
    });
    expect(await client.ended).toMatchObject({ code: "NOT_CONNECTED", message: /silent/ });
    expect(seen).toEqual(["PING"]);
  });

  it("is enough when PONG is late but something else comes in time", async () => {
    let pings = 0;
    let third: () => void = () => {};
    const thirdPing = new Promise<void>((resolve) => {
      third = resolve;
    });
    const client = await connect(
      (socket) => {
        afterHandshake(socket, () => {
          pings += 1;
          // Never a PONG, only a receipt for nobody.
          socket.write(encodeCommand("SEND_RECEIPT", { producerId: 99, sequenceId: pings }));
          if (pings === 3) third();
        });
      },
      { keepAliveIntervalMs: 30 },
    );
    await thirdPing;
    expect(client.connection.isOpen).toBe(true);
    client.connection.close();
  });
});
