import { describe, expect, it } from "vitest";
import { noAuthentication } from "../../src/auth/authentication.ts";
import type { BrokerAddress } from "../../src/connection/broker-address.ts";
import { ConnectionPool } from "../../src/connection/connection-pool.ts";
import { silentLogger } from "../../src/util/logger.ts";
import { ManualClock, reactions } from "../util/manual-clock.ts";
import { FakeBroker } from "./fake-broker.ts";

function address(name: string, proxy: string = name): BrokerAddress {
  return { logical: { host: name, port: 6650 }, physical: { host: proxy, port: 6650 } };
}

function fixture(
  connectionsPerBroker = 1,
  draws: number[] = [],
): {
  broker: FakeBroker;
  pool: ConnectionPool;
  clock: ManualClock;
  events: string[];
} {
  const broker = new FakeBroker();
  const clock = new ManualClock();
  const events: string[] = [];
  const pool = new ConnectionPool({
    dialer: broker.dialer,
    authentication: noAuthentication,
    clock,
    logger: silentLogger,
    connectionTimeoutMs: 10_000,
    keepAliveIntervalMs: 30_000,
    requestTimeoutMs: 30_000,
    connectionsPerBroker,
    random: () => draws.shift() ?? 0,
    onOpened: ({ remote }) => void events.push(`opened ${remote}`),
    onClosed: ({ remote }) => void events.push(`closed ${remote}`),
  });
  return { broker, pool, clock, events };
}

describe("a connection", () => {
  it("is shared by all who ask for the same broker, also while it is being made", async () => {
    const { broker, pool } = fixture();
    const [first, second] = await Promise.all([pool.get(address("a")), pool.get(address("a"))]);
    expect(first).toBe(second);
    expect(await pool.get(address("a"))).toBe(first);
    expect(broker.dialled).toEqual(["a:6650"]);
  });

  it("is its own for each broker, and for each way to it", async () => {
    const { broker, pool } = fixture();
    const connections = [
      await pool.get(address("a")),
      await pool.get(address("b")),
      await pool.get(address("a", "proxy")),
    ];
    expect(new Set(connections).size).toBe(3);
    expect(broker.dialled).toEqual(["a:6650", "b:6650", "proxy:6650"]);
  });

  // In turn would not do: a producer is made in three steps, so of three connections all would share the third.
  it("is one of as many as are allowed to a broker, chosen by chance", async () => {
    const { broker, pool } = fixture(2, [0.9, 0, 0.5, 0.4, 0, 0.99]);
    const connections = await Promise.all(Array.from({ length: 6 }, () => pool.get(address("a"))));
    expect(new Set(connections).size).toBe(2);
    expect(broker.dialled).toHaveLength(2);
    const numbers = connections.map((connection) => connections.indexOf(connection));
    expect(numbers).toEqual([0, 1, 0, 1, 1, 0]);
  });

  it("is made anew after it was lost", async () => {
    const { broker, pool, events } = fixture();
    const first = await pool.get(address("a"));
    broker.peer.close();
    expect(pool.size).toBe(0);
    expect(await pool.get(address("a"))).not.toBe(first);
    expect(events).toEqual(["opened a:6650", "closed a:6650", "opened a:6650"]);
  });
});

it("does not remember a failed attempt", async () => {
  const { broker, pool, events } = fixture();
  broker.refusing.add("a:6650");
  await expect(pool.get(address("a"))).rejects.toMatchObject({ code: "CONNECT" });
  broker.refusing.clear();
  expect((await pool.get(address("a"))).isOpen).toBe(true);
  expect(events).toEqual(["opened a:6650"]);
});

it("lets one of several give up without ending the attempt of the others", async () => {
  const { broker, pool } = fixture();
  broker.connected = undefined;
  const abort = new AbortController();
  const impatient = pool.get(address("a"), abort.signal);
  impatient.catch(() => {});
  const patient = pool.get(address("a"));
  await reactions();
  abort.abort(new Error("enough"));
  await expect(impatient).rejects.toThrow("enough");
  broker.peer.send("CONNECTED", { serverVersion: "x" });
  expect((await patient).isOpen).toBe(true);
});

it("closes what is open and what is on its way, and gives nothing afterwards", async () => {
  const { broker, pool, clock } = fixture();
  const open = await pool.get(address("a"));
  broker.connected = undefined;
  const pending = pool.get(address("b"));
  pending.catch(() => {});
  await reactions();
  pool.close();
  pool.close();
  await expect(pending).rejects.toMatchObject({ code: "ALREADY_CLOSED" });
  await expect(pool.get(address("a"))).rejects.toMatchObject({ code: "ALREADY_CLOSED" });
  expect(open.isOpen).toBe(false);
  expect(broker.peers.every((peer) => peer.isDestroyed)).toBe(true);
  expect(clock.pendingTimers).toBe(0);
});
