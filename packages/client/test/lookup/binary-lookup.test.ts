import { LookupType, ServerError } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { reactions } from "../util/manual-clock.ts";
import { LookupFixture } from "./lookup-fixture.ts";

const TOPIC = "persistent://public/default/t";
const { Connect, Redirect, Failed } = LookupType;

describe("an answer", () => {
  it("names the broker to connect to", async () => {
    const fixture = new LookupFixture();
    fixture.onLookup = () => ({ response: Connect, brokerServiceUrl: "pulsar://b1:6655" });
    const b1 = { host: "b1", port: 6655 };
    expect(await fixture.lookup.lookup(TOPIC)).toEqual({ logical: b1, physical: b1 });
    expect(fixture.broker.dialled).toEqual(["entry:6650"]);
    expect(fixture.clock.pendingTimers).toBe(1);
  });

  it("that says so means that broker by way of the service URL", async () => {
    const fixture = new LookupFixture();
    const proxied = { proxyThroughServiceUrl: true, brokerServiceUrl: "pulsar://inner:6650" };
    fixture.onLookup = () => ({ response: Connect, ...proxied });
    expect(await fixture.lookup.lookup(TOPIC)).toEqual({
      logical: { host: "inner", port: 6650 },
      physical: { host: "entry", port: 6650 },
    });
  });

  it("is taken by its TLS address when the service URL is a TLS one", async () => {
    const fixture = new LookupFixture({ usesTls: true });
    const brokerServiceUrlTls = "pulsar+ssl://b1:6651";
    fixture.onLookup = () => ({ response: Connect, brokerServiceUrl: "pulsar://b1:6650", brokerServiceUrlTls });
    expect((await fixture.lookup.lookup(TOPIC)).logical).toEqual({ host: "b1", port: 6651 });
    fixture.onLookup = () => ({ response: Connect, brokerServiceUrl: "pulsar://b1:6650" });
    await expect(fixture.lookup.lookup(TOPIC)).rejects.toMatchObject({ code: "LOOKUP", message: /TLS/ });
  });

  it.each([
    ["without an outcome", { brokerServiceUrl: "pulsar://b1:6650" }],
    ["that failed without an error", { response: Failed }],
    ["without an address", { response: Connect }],
    ["with an address that is no URL", { response: Connect, brokerServiceUrl: "b1" }],
  ])("%s is a LookupError", async (_what, answer) => {
    const fixture = new LookupFixture();
    fixture.onLookup = () => answer;
    await expect(fixture.lookup.lookup(TOPIC)).rejects.toMatchObject({ code: "LOOKUP", topic: TOPIC });
  });

  it("with an error is that error", async () => {
    const fixture = new LookupFixture();
    fixture.onLookup = () => ({ response: Failed, error: ServerError.AuthorizationError, message: "not yours" });
    const expected = { code: "AUTHORIZATION", message: "not yours", topic: TOPIC };
    await expect(fixture.lookup.lookup(TOPIC)).rejects.toMatchObject(expected);
  });
});

it("asks for the advertised listener", async () => {
  const fixture = new LookupFixture({ listenerName: "outside" });
  let asked: string | undefined;
  fixture.onLookup = (_host, { advertisedListenerName }) => {
    asked = advertisedListenerName;
    return { response: Connect, brokerServiceUrl: "pulsar://b1:6650" };
  };
  await fixture.lookup.lookup(TOPIC);
  expect(asked).toBe("outside");
});

// B17
describe("redirects", () => {
  it("are followed, and authoritative is echoed", async () => {
    const fixture = new LookupFixture();
    const asked: unknown[] = [];
    fixture.onLookup = (host, { authoritative }) => {
      asked.push([host, authoritative]);
      if (host === "entry") return { response: Redirect, brokerServiceUrl: "pulsar://b1:6650", authoritative: true };
      if (host === "b1") return { response: Redirect, brokerServiceUrl: "pulsar://b2:6650", authoritative: false };
      return { response: Connect, brokerServiceUrl: "pulsar://b2:6650" };
    };
    expect((await fixture.lookup.lookup(TOPIC)).logical.host).toBe("b2");
    expect(asked).toEqual([
      ["entry", false],
      ["b1", true],
      ["b2", false],
    ]);
  });

  it("that do not end are a LookupError after twenty", async () => {
    const fixture = new LookupFixture();
    let asked = 0;
    fixture.onLookup = (host) => {
      asked += 1;
      const next = host === "b1" ? "b2" : "b1";
      return { response: Redirect, brokerServiceUrl: `pulsar://${next}:6650`, authoritative: true };
    };
    await expect(fixture.lookup.lookup(TOPIC)).rejects.toMatchObject({ code: "LOOKUP", message: /20 redirects/ });
    expect(asked).toBe(21);
    expect(fixture.broker.dialled).toEqual(["entry:6650", "b1:6650", "b2:6650"]);
  });
});

// B18
describe("trouble", () => {
  it("with one host of the service URL moves on to the next at once", async () => {
    const fixture = new LookupFixture({ hosts: ["a", "b", "c"] });
    fixture.broker.refusing.add("a:6650").add("b:6650");
    fixture.onLookup = () => ({ response: Connect, brokerServiceUrl: "pulsar://b1:6650" });
    await fixture.lookup.lookup(TOPIC);
    await fixture.lookup.lookup(TOPIC);
    expect(fixture.broker.dialled).toEqual(["a:6650", "b:6650", "c:6650"]);
  });

  it("with all of them rejects after each was tried once", async () => {
    const fixture = new LookupFixture({ hosts: ["a", "b"] });
    fixture.broker.refusing.add("a:6650").add("b:6650");
    await expect(fixture.lookup.lookup(TOPIC)).rejects.toMatchObject({ code: "CONNECT" });
    expect(fixture.broker.dialled).toEqual(["a:6650", "b:6650"]);
    expect(fixture.inFlight.used).toBe(0);
  });

  it("of too many requests is waited out, on the next host", async () => {
    const fixture = new LookupFixture({ hosts: ["a", "b"] });
    const asked: string[] = [];
    fixture.onLookup = (host) => {
      asked.push(host);
      return asked.length <= 3
        ? { serverError: ServerError.TooManyRequests }
        : { response: Connect, brokerServiceUrl: "pulsar://b1:6650" };
    };
    const found = fixture.lookup.lookup(TOPIC);
    await fixture.clock.advance(99);
    expect(asked).toEqual(["a"]);
    await fixture.clock.advance(1 + 200 + 400);
    expect((await found).logical.host).toBe("b1");
    expect(asked).toEqual(["a", "b", "a", "b"]);
  });

  it("of a topic that is not ready is its caller's to wait for", async () => {
    const fixture = new LookupFixture();
    fixture.onLookup = () => ({ serverError: ServerError.ServiceNotReady });
    await expect(fixture.lookup.lookup(TOPIC)).rejects.toMatchObject({ code: "SERVICE_NOT_READY" });
  });

  it("of silence ends at the lookup timeout", async () => {
    const fixture = new LookupFixture();
    const found = fixture.lookup.lookup(TOPIC);
    found.catch(() => {});
    await reactions();
    fixture.broker.peer.send("PING", {});
    await fixture.clock.advance(29_000);
    fixture.broker.peer.send("PING", {});
    await fixture.clock.advance(1000);
    await expect(found).rejects.toMatchObject({ code: "TIMEOUT" });
    expect(fixture.inFlight.used).toBe(0);
  });
});

it("keeps no more lookups in flight than allowed, and serves the others in their turn", async () => {
  const fixture = new LookupFixture({ concurrent: 2 });
  let inFlight = 0;
  let most = 0;
  fixture.onLookup = () => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    return { response: Connect, brokerServiceUrl: "pulsar://b1:6650" };
  };
  const topics = Array.from({ length: 20 }, (_, index) => `${TOPIC}-${index}`);
  await Promise.all(topics.map((topic) => fixture.lookup.lookup(topic).then(() => void inFlight--)));
  expect(most).toBeLessThanOrEqual(2);
  expect(fixture.inFlight.used).toBe(0);
});

it("gives up a lookup in line or in flight when its signal aborts", async () => {
  const fixture = new LookupFixture({ concurrent: 1 });
  const abort = new AbortController();
  const flying = fixture.lookup.lookup(TOPIC, { signal: abort.signal });
  const waiting = fixture.lookup.lookup(TOPIC, { signal: abort.signal });
  flying.catch(() => {});
  waiting.catch(() => {});
  await reactions();
  abort.abort(new Error("enough"));
  await expect(flying).rejects.toThrow("enough");
  await expect(waiting).rejects.toThrow("enough");
  expect(fixture.inFlight.used).toBe(0);
});

describe("partitions", () => {
  it("are counted, 0 for none", async () => {
    const fixture = new LookupFixture();
    expect(await fixture.lookup.partitions(TOPIC)).toBe(0);
    fixture.onPartitions = () => ({ response: 0, partitions: 4 });
    expect(await fixture.lookup.partitions(TOPIC)).toBe(4);
  });

  it("of a topic that may not be looked at are the broker's error", async () => {
    const fixture = new LookupFixture();
    fixture.onPartitions = () => ({ response: 1, error: ServerError.TopicNotFound, message: "Namespace not found" });
    await expect(fixture.lookup.partitions(TOPIC)).rejects.toMatchObject({ code: "TOPIC_NOT_FOUND" });
    fixture.onPartitions = () => ({});
    await expect(fixture.lookup.partitions(TOPIC)).rejects.toMatchObject({ code: "LOOKUP" });
  });

  it("are asked for without creating the topic only where the broker understands that", async () => {
    const fixture = new LookupFixture();
    const mayCreate: boolean[] = [];
    fixture.onPartitions = ({ metadataAutoCreationEnabled }) => {
      mayCreate.push(metadataAutoCreationEnabled !== false);
      return { response: 0, partitions: 0 };
    };
    await fixture.lookup.partitions(TOPIC, { autoCreate: false });
    fixture.broker.peer.close();
    fixture.broker.connected = {
      serverVersion: "new",
      featureFlags: { supportsGetPartitionedMetadataWithoutAutoCreation: true },
    };
    await fixture.lookup.partitions(TOPIC, { autoCreate: false });
    expect(mayCreate).toEqual([true, false]);
  });
});
