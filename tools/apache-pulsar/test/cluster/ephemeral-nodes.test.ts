import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, it } from "vitest";
import { dumpSessions, holdsNode } from "../../src/cluster/ephemeral-nodes.ts";

const dump = `SessionTracker dump:
ephemeral nodes dump:
Sessions with Ephemerals (1):
0x1000:
\t/ledgers/available/127.0.0.1:3181
`;

it("finds a node in a dump by its whole path", () => {
  expect(holdsNode(dump, "/ledgers/available/127.0.0.1:3181")).toBe(true);
  expect(holdsNode(dump, "/ledgers/available/127.0.0.1:318")).toBe(false);
});

it("asks ZooKeeper for a dump and takes all of the answer", async () => {
  const server = createServer((socket) => {
    socket.once("data", (command) => socket.end(`${command.toString()}: ${dump}`));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  expect(await dumpSessions(port, AbortSignal.timeout(10_000))).toBe(`dump: ${dump}`);
  server.close();
  await once(server, "close");
  expect(await dumpSessions(port, AbortSignal.timeout(10_000))).toBe("");
});
