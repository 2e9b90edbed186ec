import { LookupType } from "@pulsewire/protocol";
import { expect, it } from "vitest";
import { LookupConnector } from "../../src/lookup/lookup-connector.ts";
import { ServiceHosts } from "../../src/lookup/service-hosts.ts";
import { LookupFixture } from "./lookup-fixture.ts";

const TOPIC = "persistent://public/default/t";

function connectorOf(fixture: LookupFixture): LookupConnector {
  const { lookup, pool, hosts } = fixture;
  return new LookupConnector({ lookup, pool, hosts, usesTls: false });
}

it("connects to the broker that the lookup names", async () => {
  const fixture = new LookupFixture();
  fixture.onLookup = () => ({ response: LookupType.Connect, brokerServiceUrl: "pulsar://b1:6650" });
  const connection = await connectorOf(fixture).connect(TOPIC, { signal: new AbortController().signal });
  expect(connection.remote).toBe("b1:6650");
});

it("follows a hint without a lookup", async () => {
  const fixture = new LookupFixture();
  const hint = { brokerServiceUrl: "pulsar://b2:6650" };
  const connection = await connectorOf(fixture).connect(TOPIC, { signal: new AbortController().signal, hint });
  expect(connection.remote).toBe("b2:6650");
  expect(fixture.broker.dialled).toEqual(["b2:6650"]);
});

it("follows a hint by way of the proxy that the last lookup asked for", async () => {
  const fixture = new LookupFixture();
  const proxied = { proxyThroughServiceUrl: true, brokerServiceUrl: "pulsar://b1:6650" };
  fixture.onLookup = () => ({ response: LookupType.Connect, ...proxied });
  const connector = connectorOf(fixture);
  const { signal } = new AbortController();
  await connector.connect(TOPIC, { signal });
  await connector.connect(TOPIC, { signal, hint: { brokerServiceUrl: "pulsar://b2:6650" } });
  expect(fixture.broker.dialled).toEqual(["entry:6650", "entry:6650", "entry:6650"]);
  expect(fixture.broker.peer.last("CONNECT").proxyToBrokerUrl).toBe("b2:6650");
});

it("looks up when a hint has no address for it", async () => {
  const fixture = new LookupFixture();
  fixture.onLookup = () => ({ response: LookupType.Connect, brokerServiceUrl: "pulsar://b1:6650" });
  const hint = { brokerServiceUrlTls: "pulsar+ssl://b2:6651" };
  const connection = await connectorOf(fixture).connect(TOPIC, { signal: new AbortController().signal, hint });
  expect(connection.remote).toBe("b1:6650");
});

it("starts with a random host and moves on once for several failures of the same", () => {
  const list = ["a", "b", "c"].map((host) => ({ host, port: 1 }));
  const hosts = new ServiceHosts(list, () => 0.5);
  const first = hosts.current;
  expect(first.host).toBe("b");
  hosts.onFailed(first);
  hosts.onFailed(first);
  expect(hosts.current.host).toBe("c");
  hosts.onFailed(hosts.current);
  expect(hosts.current.host).toBe("a");
});
