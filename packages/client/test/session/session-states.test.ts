import { describe, expect, it } from "vitest";
import { NotConnectedError, TopicTerminatedError } from "../../src/errors.ts";
import type { SessionStateName } from "../../src/session/session-types.ts";
import { Deferred } from "../../src/util/deferred.ts";
import { reactions } from "../util/manual-clock.ts";
import { last, SessionFixture, StubConnection } from "./session-fixture.ts";

/** Brings a new session into a state; `current` is the connection that it has or had. */
const states: Record<string, (fixture: SessionFixture) => Promise<StubConnection>> = {
  "connecting, looking for a connection": async (fixture) => {
    fixture.session.open().catch(() => {});
    await reactions();
    return new StubConnection("none");
  },
  "connecting, attaching": async (fixture) => {
    fixture.session.open().catch(() => {});
    await reactions();
    return fixture.giveConnection();
  },
  ready: (fixture) => fixture.openReady(),
  "reconnecting, waiting": (fixture) => fixture.openAndLose(),
  "reconnecting, looking for a connection": async (fixture) => {
    const connection = await fixture.openAndLose();
    await fixture.clock.advance(100);
    return connection;
  },
  "reconnecting, attaching": async (fixture) => {
    await fixture.openAndLose();
    await fixture.clock.advance(100);
    return fixture.giveConnection();
  },
  closing: async (fixture) => {
    const connection = await fixture.openReady();
    fixture.detaching = new Deferred<void>().promise;
    void fixture.session.close();
    return connection;
  },
  closed: async (fixture) => {
    const connection = await fixture.openReady();
    await fixture.session.close();
    return connection;
  },
  failed: async (fixture) => {
    const connection = await fixture.openReady();
    fixture.session.fail(new TopicTerminatedError("terminated"));
    return connection;
  },
};

const events: Record<string, (fixture: SessionFixture, current: StubConnection) => void> = {
  "the current connection is lost": ({ session }, current) =>
    session.connectionLost(current.asConnection, new NotConnectedError("lost")),
  "an old connection is lost": ({ session }) =>
    session.connectionLost(new StubConnection("old").asConnection, new NotConnectedError("lost")),
  "the broker closes it on the current connection": ({ session }, current) =>
    session.closedByBroker(current.asConnection, undefined),
  "the broker closes it on an old connection": ({ session }) =>
    session.closedByBroker(new StubConnection("old").asConnection, undefined),
  "its owner asks for a reconnect": ({ session }) => session.reconnect(new NotConnectedError("asked")),
  "its owner lets it fail": ({ session }) => session.fail(new TopicTerminatedError("terminated")),
  "its owner closes it": ({ session }) => void session.close(),
  "it is opened once more": ({ session }) => void session.open().catch(() => {}),
  "the newest attach succeeds, perhaps late": ({ attaches }) => attaches.at(-1)?.result.resolve(),
  "the newest connect succeeds, perhaps late": ({ connects }) =>
    last(connects).result.resolve(new StubConnection("new").asConnection),
};

const R = "reconnecting";
const C = "connecting";
/** The public state after each event, in the order of `events`; undefined where the event changes nothing. */
const table: Record<string, readonly (SessionStateName | undefined)[]> = {
  "connecting, looking for a connection": [_(), _(), _(), _(), _(), "failed", "closed", _(), _(), C],
  "connecting, attaching": [C, _(), C, _(), _(), "failed", "closed", _(), "ready", _()],
  ready: [R, _(), R, _(), R, "failed", "closed", _(), _(), _()],
  "reconnecting, waiting": [_(), _(), _(), _(), _(), "failed", "closed", _(), _(), _()],
  "reconnecting, looking for a connection": [_(), _(), _(), _(), _(), "failed", "closed", _(), _(), R],
  "reconnecting, attaching": [R, _(), R, _(), _(), "failed", "closed", _(), "ready", _()],
  closing: [_(), _(), _(), _(), _(), _(), _(), _(), _(), _()],
  closed: [_(), _(), _(), _(), _(), _(), _(), _(), _(), _()],
  failed: [_(), _(), _(), _(), _(), _(), _(), _(), _(), _()],
};

function _(): undefined {}

describe.each(Object.entries(states))("%s", (stateName, enter) => {
  const row = table[stateName] ?? [];
  const cases = Object.entries(events).map(([name, fire], index) => ({ name, fire, expected: row[index] }));

  it.each(cases)("$name -> $expected", async ({ fire, expected }) => {
    const fixture = new SessionFixture();
    const current = await enter(fixture);
    const before = fixture.session.state;
    const attachesBefore = fixture.attaches.length;
    fire(fixture, current);
    await reactions();
    expect(fixture.session.state).toBe(expected ?? before);
    if (expected === undefined) expect(fixture.attaches).toHaveLength(attachesBefore);
    // Whatever happened, closing brings it to an end that holds no timer and starts nothing.
    if (before === "closing") return;
    fixture.detaching = Promise.resolve();
    await fixture.session.close();
    expect(fixture.clock.pendingTimers).toBe(0);
    const connects = fixture.connects.length;
    await fixture.clock.advance(1_000_000);
    expect(fixture.connects).toHaveLength(connects);
    expect(["closed", "failed"]).toContain(fixture.session.state);
  });
});
