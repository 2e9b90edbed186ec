import type { BrokerPorts } from "../broker-config/broker-settings.ts";
import { LauncherError } from "../errors.ts";
import { choosePorts } from "../process/free-ports.ts";
import type { ClusterOptions } from "./cluster-options.ts";

/** Ports of all parts of a cluster. */
export interface ClusterPorts {
  readonly zooKeeper: number;
  readonly bookie: number;
  readonly brokers: readonly BrokerPorts[];
  /** All of them by name, as an instance remembers them. */
  readonly byName: Readonly<Record<string, number>>;
}

/** How many brokers the options ask for. */
export function brokerCount(options: ClusterOptions): number {
  const count = options.brokers ?? 2;
  if (!Number.isInteger(count) || count < 1 || count > 8) {
    throw new LauncherError("INVALID_OPTION", `brokers must be an integer from 1 to 8, was ${String(count)}`);
  }
  for (const name of ["ports", "httpPorts"] as const) {
    const given = options[name]?.length ?? count;
    if (given !== count) {
      throw new LauncherError(
        "INVALID_OPTION",
        `${name} must hold one port for each of ${count} brokers, held ${given}`,
      );
    }
  }
  return count;
}

/** Chooses the ports: those of the options, else those of an earlier start, else free ones. */
export async function chooseClusterPorts(
  options: ClusterOptions,
  remembered: Readonly<Record<string, number>>,
  withTls: boolean,
): Promise<ClusterPorts> {
  const wanted: Record<string, number> = {
    zooKeeper: remembered["zooKeeper"] ?? 0,
    bookie: remembered["bookie"] ?? 0,
  };
  const indexes = Array.from({ length: brokerCount(options) }, (_, index) => index);
  for (const index of indexes) {
    wanted[`binary${index}`] = options.ports?.[index] ?? remembered[`binary${index}`] ?? 0;
    wanted[`http${index}`] = options.httpPorts?.[index] ?? remembered[`http${index}`] ?? 0;
    if (!withTls) continue;
    wanted[`binaryTls${index}`] = remembered[`binaryTls${index}`] ?? 0;
    wanted[`httpTls${index}`] = remembered[`httpTls${index}`] ?? 0;
  }
  const byName: Readonly<Record<string, number>> = await choosePorts(wanted);
  const port = (name: string): number => byName[name] ?? 0;
  return {
    zooKeeper: port("zooKeeper"),
    bookie: port("bookie"),
    brokers: indexes.map((index) => ({
      binary: port(`binary${index}`),
      http: port(`http${index}`),
      binaryTls: byName[`binaryTls${index}`],
      httpTls: byName[`httpTls${index}`],
    })),
    byName,
  };
}
