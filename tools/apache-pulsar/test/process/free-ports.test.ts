import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, it } from "vitest";
import { choosePorts } from "../../src/process/free-ports.ts";

it("chooses a different free port for every name, over all calls", async () => {
  const all = await Promise.all([choosePorts({ a: 0, b: 0 }), choosePorts({ a: 0, b: 0 })]);
  const ports = all.flatMap(({ a, b }) => [a, b]);
  expect(new Set(ports).size).toBe(4);
  expect(Math.min(...ports)).toBeGreaterThan(0);
});

it("names the wanted port that is taken", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await expect(choosePorts({ a: 0, http: port })).rejects.toMatchObject({
    code: "INVALID_OPTION",
    message: `port http cannot be ${port}: EADDRINUSE`,
  });
  server.close();
});

it.each([-1, 1.5, 65_536])("refuses %d as a port", async (port) => {
  await expect(choosePorts({ http: port })).rejects.toMatchObject({ code: "INVALID_OPTION" });
});
