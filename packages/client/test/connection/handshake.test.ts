import { encodeCommand, ServerError } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { TokenAuthentication } from "../../src/auth/token-authentication.ts";
import { CLIENT_VERSION } from "../../src/connection/client-version.ts";
import { reactions } from "../util/manual-clock.ts";
import { ConnectionFixture } from "./connection-fixture.ts";

it("names the version of the package", () => {
  expect(CLIENT_VERSION).toBe(`Pulsewire-v${packageJson.version}`);
});

describe("CONNECT", () => {
  it("offers protocol version 21 and what Java offers", async () => {
    const { broker } = await ConnectionFixture.open();
    expect(broker.peer.received[0]?.type).toBe("CONNECT");
    expect(broker.peer.last("CONNECT")).toMatchObject({
      clientVersion: CLIENT_VERSION,
      protocolVersion: 21,
      authMethodName: "none",
      featureFlags: {
        supportsAuthRefresh: true,
        supportsBrokerEntryMetadata: true,
        supportsPartialProducer: true,
        supportsGetPartitionedMetadataWithoutAutoCreation: true,
        supportsReplDedupByLidAndEid: true,
      },
    });
    expect(broker.peer.last("CONNECT").proxyToBrokerUrl).toBeUndefined();
  });

  it("names the broker behind a proxy, and dials the proxy", async () => {
    const address = { logical: { host: "inner", port: 6650 }, physical: { host: "proxy", port: 6651 } };
    const { broker, connection } = new ConnectionFixture({ address });
    await connection.open();
    expect(broker.dialled).toEqual(["proxy:6651"]);
    expect(broker.peer.last("CONNECT").proxyToBrokerUrl).toBe("inner:6650");
  });

  it("carries a token, fetched for this connection", async () => {
    let calls = 0;
    const authentication = new TokenAuthentication(async () => `token-${++calls}`);
    const { broker } = await ConnectionFixture.open({ authentication });
    const connect = broker.peer.last("CONNECT");
    expect(connect.authMethodName).toBe("token");
    expect(Buffer.from(connect.authData ?? []).toString()).toBe("token-1");
  });
});

describe("CONNECTED", () => {
  it("gives the versions, limits and features of the broker", async () => {
    const fixture = new ConnectionFixture();
    fixture.broker.connected = {
      serverVersion: "Pulsar Server4.0.7",
      protocolVersion: 19,
      maxMessageSize: 1_000_000,
      featureFlags: { supportsTopicWatchers: true },
    };
    await fixture.connection.open();
    expect(fixture.connection.protocolVersion).toBe(19);
    expect(fixture.connection.maxMessageSizeBytes).toBe(1_000_000);
    expect(fixture.connection.features.supportsTopicWatchers).toBe(true);
  });

  it("means 5 MiB when it names no maximum message size", async () => {
    const { connection } = await ConnectionFixture.open();
    expect(connection.maxMessageSizeBytes).toBe(5_242_880);
  });

  it("sets the frame limit that later frames are held against", async () => {
    const fixture = new ConnectionFixture();
    fixture.broker.connected = { serverVersion: "small", maxMessageSize: 1000 };
    await fixture.connection.open();
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(1000 + 10_241);
    fixture.broker.peer.sendBytes(frame);
    expect(fixture.ends[0]).toMatchObject({ code: "CONNECT", cause: { code: "FRAME_TOO_LARGE" } });
  });

  it("may be followed by a PING in the same chunk, which is answered", async () => {
    const fixture = new ConnectionFixture();
    fixture.broker.connected = undefined;
    const opened = fixture.connection.open();
    await reactions();
    const chunk = Buffer.concat([encodeCommand("CONNECTED", { serverVersion: "x" }), encodeCommand("PING", {})]);
    fixture.broker.peer.sendBytes(chunk);
    await opened;
    await reactions();
    expect(fixture.broker.peer.commands("PONG")).toHaveLength(1);
  });
});

describe("a refused handshake", () => {
  it.each([
    ["AuthenticationError", "AUTHENTICATION"],
    ["ServiceNotReady", "SERVICE_NOT_READY"],
    ["AuthorizationError", "AUTHORIZATION"],
  ] as const)("rejects with the type of the broker's %s", async (name, code) => {
    const fixture = new ConnectionFixture();
    fixture.broker.connected = undefined;
    const opened = fixture.connection.open();
    await reactions();
    fixture.broker.peer.send("ERROR", { requestId: -1, error: ServerError[name], message: "no" });
    await expect(opened).rejects.toMatchObject({ code, serverError: name });
    expect(fixture.broker.peer.isDestroyed).toBe(true);
    expect(fixture.clock.pendingTimers).toBe(0);
  });

  it("rejects with AuthenticationError when there are no credentials", async () => {
    const authentication = new TokenAuthentication(() => Promise.reject(new Error("the vault is shut")));
    const { connection, broker } = new ConnectionFixture({ authentication });
    await expect(connection.open()).rejects.toMatchObject({ code: "AUTHENTICATION", message: /the vault is shut/ });
    expect(broker.peer.received).toEqual([]);
  });

  it("rejects with AuthenticationError when the credentials are no bytes", async () => {
    const authentication = { methodName: "custom", getAuthData: () => "text" as unknown as Uint8Array };
    const { connection } = new ConnectionFixture({ authentication });
    await expect(connection.open()).rejects.toMatchObject({ code: "AUTHENTICATION", message: /custom.*Uint8Array/ });
  });

  it("rejects with TimeoutError when the credentials never come", async () => {
    const authentication = new TokenAuthentication(() => new Promise(() => {}));
    const { connection, clock } = new ConnectionFixture({ authentication });
    const opened = connection.open();
    opened.catch(() => {});
    await clock.advance(10_000);
    await expect(opened).rejects.toMatchObject({ code: "TIMEOUT" });
  });

  it("rejects with ConnectError for any other command", async () => {
    const fixture = new ConnectionFixture();
    fixture.broker.connected = undefined;
    const opened = fixture.connection.open();
    await reactions();
    fixture.broker.peer.send("SUCCESS", { requestId: 0 });
    await expect(opened).rejects.toMatchObject({ code: "CONNECT" });
  });

  it("says why the broker ended it, e.g. over a certificate that it wants", async () => {
    const { connection, broker } = new ConnectionFixture();
    broker.connected = undefined;
    const opened = connection.open();
    opened.catch(() => {});
    await reactions();
    broker.peer.close(new Error("tlsv13 alert certificate required"));
    await expect(opened).rejects.toMatchObject({
      code: "CONNECT",
      message: "broker:6650 closed the connection during the handshake: tlsv13 alert certificate required",
    });
  });

  it("names every reason when a host has several addresses and none answers", async () => {
    const fixture = new ConnectionFixture();
    fixture.broker.refusing.add("broker:6650");
    // What Node gives for a name with several addresses: an empty message.
    const reasons = ["connect ECONNREFUSED ::1:6650", "connect ETIMEDOUT 10.0.0.1:6650"];
    fixture.broker.refusal = new AggregateError(reasons.map((reason) => new Error(reason)));
    await expect(fixture.connection.open()).rejects.toMatchObject({
      code: "CONNECT",
      message: `could not connect to broker:6650: ${reasons.join(", ")}`,
    });
  });

  it("rejects with ConnectError, and its cause, when nothing listens there", async () => {
    const fixture = new ConnectionFixture();
    fixture.broker.refusing.add("broker:6650");
    await expect(fixture.connection.open()).rejects.toMatchObject({ code: "CONNECT", message: /ECONNREFUSED/ });
    expect(fixture.clock.pendingTimers).toBe(0);
  });
});

describe("AUTH_CHALLENGE", () => {
  const tokens = (): TokenAuthentication => {
    let calls = 0;
    return new TokenAuthentication(({ challenge }) => {
      calls += 1;
      return `${challenge === undefined ? "connect" : Buffer.from(challenge).toString()}-${calls}`;
    });
  };

  it("before CONNECTED is answered until the broker is content", async () => {
    const fixture = new ConnectionFixture({ authentication: tokens() });
    fixture.broker.connected = undefined;
    const opened = fixture.connection.open();
    await reactions();
    for (const step of ["first", "second"]) {
      fixture.broker.peer.send("AUTH_CHALLENGE", {
        challenge: { authMethodName: "token", authData: Buffer.from(step) },
      });
      await reactions();
    }
    fixture.broker.peer.send("CONNECTED", { serverVersion: "x" });
    await opened;
    const answers = fixture.broker.peer.commands("AUTH_RESPONSE").map(({ response }) => response?.authData);
    expect(answers.map((data) => Buffer.from(data ?? []).toString())).toEqual(["first-2", "second-3"]);
  });

  // B73
  it("later is answered with a fresh credential on the same connection", async () => {
    const { broker, connection } = await ConnectionFixture.open({ authentication: tokens() });
    const challenge = { authMethodName: "token", authData: Buffer.from("PulsarAuthRefresh") };
    broker.peer.send("AUTH_CHALLENGE", { challenge });
    await reactions();
    const { response } = broker.peer.last("AUTH_RESPONSE");
    expect(response?.authMethodName).toBe("token");
    expect(Buffer.from(response?.authData ?? []).toString()).toBe("PulsarAuthRefresh-2");
    expect(connection.isOpen).toBe(true);
  });

  // B73, B41
  it("later is answered once the supplier recovers, however often it fails before", async () => {
    let calls = 0;
    const authentication = new TokenAuthentication(() => {
      calls += 1;
      if (calls > 1 && calls < 4) throw new Error("the vault is shut");
      return `token-${calls}`;
    });
    const { broker, clock, connection } = await ConnectionFixture.open({ authentication });
    broker.peer.send("AUTH_CHALLENGE", { challenge: { authData: Buffer.from("PulsarAuthRefresh") } });
    await clock.advance(1000);
    expect(broker.peer.commands("AUTH_RESPONSE")).toHaveLength(0);
    await clock.advance(1000);
    const { response } = broker.peer.last("AUTH_RESPONSE");
    expect(Buffer.from(response?.authData ?? []).toString()).toBe("token-4");
    expect(connection.isOpen).toBe(true);
  });

  it("whose answer is refused closes the connection with AuthenticationError", async () => {
    const fixture = await ConnectionFixture.open();
    const request = fixture.connection.request("LOOKUP", { topic: "t" });
    request.catch(() => {});
    fixture.broker.peer.send("ERROR", { requestId: -1, error: ServerError.AuthenticationError, message: "expired" });
    expect(fixture.ends[0]).toMatchObject({ code: "AUTHENTICATION" });
    await expect(request).rejects.toMatchObject({ code: "NOT_CONNECTED", cause: { code: "AUTHENTICATION" } });
  });
});
