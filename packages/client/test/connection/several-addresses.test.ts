import type { TcpSocketConnectOpts } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { createSocketDialer } from "../../src/connection/socket-dialer.ts";

const given = vi.hoisted((): TcpSocketConnectOpts[] => []);
vi.mock("node:net", async (original) => {
  const net = await original<typeof import("node:net")>();
  const connect = (options: TcpSocketConnectOpts): import("node:net").Socket => {
    given.push(options);
    return net.connect(options);
  };
  return { ...net, connect };
});

afterEach(() => {
  given.length = 0;
});

it("gives each address of a name more time than a far broker needs, not Node's quarter of a second", async () => {
  const events = { onData: () => {}, onDrain: () => {}, onClose: () => {} };
  const abort = new AbortController();
  const dialled = createSocketDialer(undefined)({ host: "127.0.0.1", port: 1 }, events, abort.signal);
  await expect(dialled).rejects.toMatchObject({ code: "ECONNREFUSED" });
  expect(given[0]?.autoSelectFamilyAttemptTimeout).toBe(2000);
});
