import { expect, it } from "vitest";
import { toInstanceMemory } from "../../src/instance/instance-memory.ts";

it("survives a round trip through JSON", () => {
  const keys = { certFile: "c", keyFile: "k" };
  const memory = {
    ports: { binary: 1 },
    tokenSecret: "c2VjcmV0",
    tls: { caFile: "ca", server: keys, clients: { admin: keys } },
  };
  expect(toInstanceMemory(JSON.parse(JSON.stringify(memory)))).toEqual(memory);
});

it.each([undefined, null, 1, [], {}, { ports: 1 }])("takes %j for no memory", (json) => {
  expect(toInstanceMemory(json)).toBeUndefined();
});

it("drops what it cannot use", () => {
  expect(toInstanceMemory({ ports: { a: 1, b: "2" }, tokenSecret: 3, tls: { caFile: "ca" } })).toEqual({
    ports: { a: 1 },
    tokenSecret: undefined,
    tls: undefined,
  });
});
