import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { isLauncherError } from "../errors.ts";
import type { InstanceAccess } from "../instance/instance-access.ts";
import { type Standalone, startStandalone } from "../standalone/standalone.ts";
import type { UpOptions } from "./up-options.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Starts what the options ask for, prints where it is and runs until a signal; gives back the exit code. */
export async function runUp(options: UpOptions): Promise<number> {
  const interrupt = new AbortController();
  const onSignal = (): void => {
    // The second one means now: the JVMs go down with this process.
    if (interrupt.signal.aborted) process.exit(130);
    interrupt.abort();
    process.stderr.write("stopping ... (again to kill)\n");
  };
  for (const signal of signals) process.on(signal, onSignal);
  try {
    const instance = await start(options, interrupt.signal);
    process.stdout.write(describe(instance));
    const ended = await untilInterruptedOrEnded(instance, interrupt.signal);
    await instance.close();
    if (ended === undefined) return 0;
    process.stderr.write(`${ended}\n`);
    return 1;
  } catch (error) {
    if (isLauncherError(error) && error.code === "ABORTED") return 130;
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}

async function start(options: UpOptions, signal: AbortSignal): Promise<Standalone | Cluster> {
  const { port, httpPort, brokers } = options;
  if (brokers === undefined) return await startStandalone({ ...options.start, port, httpPort, signal });
  const row = (first: number): readonly number[] =>
    Array.from({ length: brokers }, (_, index) => (first === 0 ? 0 : first + index));
  return await startCluster({ ...options.start, brokers, ports: row(port), httpPorts: row(httpPort), signal });
}

/** Undefined after a signal, else which part ended by itself. */
async function untilInterruptedOrEnded(
  instance: Standalone | Cluster,
  signal: AbortSignal,
): Promise<string | undefined> {
  const parts = "brokers" in instance ? [...instance.brokers, instance.bookie, instance.zooKeeper] : [instance];
  const interrupted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  const ended = parts.map(async (part) => {
    await part.untilStopped();
    return `${part.name} ended by itself. Log: ${part.logFile}`;
  });
  return await Promise.race([interrupted, ...ended]);
}

function describe(instance: Standalone | Cluster): string {
  const brokers = "brokers" in instance ? instance.brokers : [instance];
  const lines: (readonly [string, string | undefined])[] = [];
  if ("brokers" in instance) lines.push(["all brokers", instance.serviceUrl], ["", instance.serviceUrlTls]);
  for (const broker of brokers) {
    lines.push(
      [broker.name, broker.serviceUrl],
      ["", broker.serviceUrlTls],
      ["admin REST", broker.adminUrl],
      ["", broker.adminUrlTls],
      ["WebSocket", broker.webSocketUrl],
      ["", broker.webSocketUrlTls],
      ["log", broker.logFile],
    );
  }
  lines.push(...describeAccess(instance), ["folder", instance.dir]);
  const text = lines.flatMap(([name, value]) => (value === undefined ? [] : `${name.padEnd(26)}${value}`));
  return `${text.join("\n")}\nReady. Ctrl-C stops it.\n`;
}

function describeAccess(access: InstanceAccess): readonly (readonly [string, string | undefined])[] {
  return [
    ["trusted certificate", access.tls?.caFile],
    ...Object.entries(access.tls?.clients ?? {}).map(([name, files]) => {
      return [`certificate of ${name}`, `${files.certFile} ${files.keyFile}`] as const;
    }),
    ["token of admin", access.adminToken],
  ];
}
