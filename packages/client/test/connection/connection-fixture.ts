import { type Authentication, noAuthentication } from "../../src/auth/authentication.ts";
import { BinaryConnection } from "../../src/connection/binary-connection.ts";
import type { BrokerAddress } from "../../src/connection/broker-address.ts";
import type { PulsarError } from "../../src/errors.ts";
import { silentLogger } from "../../src/util/logger.ts";
import { ManualClock } from "../util/manual-clock.ts";
import { FakeBroker } from "./fake-broker.ts";

const BROKER: BrokerAddress = {
  logical: { host: "broker", port: 6650 },
  physical: { host: "broker", port: 6650 },
};

/** A connection to a broker that is played by the test. */
export class ConnectionFixture {
  readonly clock = new ManualClock();
  readonly broker = new FakeBroker();
  readonly ends: PulsarError[] = [];
  readonly logged: string[] = [];
  readonly connection: BinaryConnection;

  constructor(options: { readonly authentication?: Authentication; readonly address?: BrokerAddress } = {}) {
    this.connection = new BinaryConnection({
      id: 1,
      address: options.address ?? BROKER,
      dialer: this.broker.dialer,
      authentication: options.authentication ?? noAuthentication,
      clock: this.clock,
      logger: { ...silentLogger, error: (message) => void this.logged.push(message) },
      connectionTimeoutMs: 10_000,
      keepAliveIntervalMs: 30_000,
      requestTimeoutMs: 30_000,
      onClosed: (_connection, error) => void this.ends.push(error),
    });
  }

  /** An open connection. */
  static async open(options: { readonly authentication?: Authentication } = {}): Promise<ConnectionFixture> {
    const fixture = new ConnectionFixture(options);
    await fixture.connection.open();
    return fixture;
  }
}
