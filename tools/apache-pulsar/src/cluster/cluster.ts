import { Deadline, type WaitOptions } from "../deadline.ts";
import { LauncherError } from "../errors.ts";
import { Broker, type BrokerHandle } from "../instance/broker-handle.ts";
import { createAccess, type InstanceAccess } from "../instance/instance-access.ts";
import { InstanceFolder } from "../instance/instance-folder.ts";
import { toInstanceMemory } from "../instance/instance-memory.ts";
import { createSecurity } from "../instance/instance-security.ts";
import { Service, type ServiceHandle } from "../instance/service-handle.ts";
import { withStartAttempts } from "../instance/start-attempts.ts";
import { prepare } from "../prepare.ts";
import { type JavaCommand, JavaProcess } from "../process/java-process.ts";
import { lastLines, readFrom } from "../process/log-file.ts";
import type { ClusterOptions } from "./cluster-options.ts";
import { brokerCount, chooseClusterPorts } from "./cluster-ports.ts";
import { type ClusterServices, createClusterServices } from "./cluster-services.ts";

/** A running cluster: ZooKeeper, a bookie and brokers, each a process of its own. */
export interface Cluster extends InstanceAccess, AsyncDisposable {
  /** The brokers, by index; each may be stopped, killed and started on its own. */
  readonly brokers: readonly BrokerHandle[];
  readonly bookie: ServiceHandle;
  readonly zooKeeper: ServiceHandle;
  /** `pulsar://` with all brokers: `pulsar://127.0.0.1:a,127.0.0.1:b`. */
  readonly serviceUrl: string;
  /** `pulsar+ssl://` with all brokers, undefined without TLS. */
  readonly serviceUrlTls: string | undefined;
  /** Holds configuration, data and logs. */
  readonly dir: string;
  /** Starts whatever is not running: ZooKeeper, bookie, then the brokers. Default of `timeoutMs`: 180 000. */
  start(options?: WaitOptions): Promise<void>;
  /** Ends all in an orderly way: brokers, bookie, ZooKeeper. Data and ports stay. */
  stop(): Promise<void>;
  /** Kills all at once (SIGKILL). Data and ports stay. */
  kill(): Promise<void>;
  /** Stops all, then starts all. */
  restart(options?: WaitOptions): Promise<void>;
  /** Stops all and removes the temporary folder; it cannot be started again. */
  close(): Promise<void>;
}

const startTimeoutMs = 180_000;

/**
 * Starts a cluster and waits until `public/default` is usable through every broker and all know one another. Default of `timeoutMs`:
 * 180 000. Throws as `startStandalone` does.
 */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  brokerCount(options);
  const distribution = await prepare({
    signal: options.signal,
    onProgress: options.onProgress,
    useClassArchive: options.useClassArchive,
  });
  const deadline = new Deadline("the start of the Apache Pulsar cluster", options, startTimeoutMs);
  const folder = await InstanceFolder.open(options.dir, options.keep ?? false);
  const memory = toInstanceMemory(await folder.readMemory());
  return await withStartAttempts(folder, memory !== undefined, async () => {
    deadline.check();
    const security = await createSecurity(options, folder.path, memory);
    const ports = await chooseClusterPorts(options, memory?.ports ?? {}, security.tls !== undefined);
    const services = await createClusterServices({
      distribution,
      folder: folder.path,
      ports,
      security,
      settings: options.config ?? {},
      heapMb: options.heapMb ?? 768,
      directMemoryMb: options.directMemoryMb ?? 768,
      jvmArgs: options.jvmArgs ?? [],
    });
    const wait: WaitOptions = { signal: deadline.signal, timeoutMs: options.timeoutMs ?? startTimeoutMs };
    try {
      await startServices(services, wait, memory === undefined ? deadline : undefined);
    } catch (error) {
      await killServices(services);
      throw error;
    }
    await folder.writeMemory({
      ports: ports.byName,
      tokenSecret: security.tokenSecret?.toString("base64"),
      tls: security.tls,
    });
    const access = createAccess(security);
    const brokers = services.brokers.map((service, index) => {
      return new Broker(service, ports.brokers[index] ?? { binary: 0, http: 0 }, access.adminToken);
    });
    return createCluster(services, brokers, access, folder);
  });
}

function createCluster(
  services: ClusterServices,
  brokers: readonly Broker[],
  access: InstanceAccess,
  folder: InstanceFolder,
): Cluster {
  const start = async (wait: WaitOptions = {}): Promise<void> => {
    const deadline = new Deadline("the start of the Apache Pulsar cluster", wait, startTimeoutMs);
    await startServices(services, { signal: deadline.signal, timeoutMs: wait.timeoutMs ?? startTimeoutMs }, undefined);
  };
  const stop = async (): Promise<void> => await stopServices(services);
  const close = async (): Promise<void> => {
    await stop();
    await folder.close();
  };
  return {
    ...access,
    brokers,
    bookie: new Service(services.bookie),
    zooKeeper: new Service(services.zooKeeper),
    serviceUrl: joinUrls(brokers.map((broker) => broker.serviceUrl)) ?? "",
    serviceUrlTls: joinUrls(brokers.flatMap((broker) => broker.serviceUrlTls ?? [])),
    dir: folder.path,
    start,
    stop,
    kill: async () => await killServices(services),
    restart: async (wait) => {
      await stop();
      await start(wait);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** `scheme://a,b` from `scheme://a` and `scheme://b`; undefined from nothing. */
function joinUrls(urls: readonly string[]): string | undefined {
  const [first, ...rest] = urls;
  return first === undefined ? undefined : [first, ...rest.map((url) => url.replace(/^.*:\/\//u, ""))].join(",");
}

/** With `setup`, the metadata of a new cluster is written before anything reads it. */
async function startServices(services: ClusterServices, wait: WaitOptions, setup: Deadline | undefined): Promise<void> {
  await services.zooKeeper.start(wait);
  if (setup !== undefined) await runToEnd("the setup of the cluster's metadata", services.metadataSetup, setup);
  await services.bookie.start(wait);
  await settleAll(services.brokers.map((broker) => broker.start(wait)));
}

/** Brokers go first: one whose bookie is gone hangs for minutes in its own shutdown. */
async function stopServices(services: ClusterServices): Promise<void> {
  await settleAll(services.brokers.map((broker) => broker.stop()));
  await services.bookie.stop();
  await services.zooKeeper.stop();
}

async function killServices(services: ClusterServices): Promise<void> {
  await settleAll([...services.brokers, services.bookie, services.zooKeeper].map((service) => service.kill()));
}

/** Waits for all, then throws what the first one that failed threw: nothing goes on behind the caller's back. */
async function settleAll(promises: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(promises);
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

async function runToEnd(what: string, command: JavaCommand, deadline: Deadline): Promise<void> {
  const process = await JavaProcess.start(command);
  const onAbort = (): void => void process.kill();
  deadline.signal.addEventListener("abort", onAbort);
  try {
    if (deadline.isOver) onAbort();
    const { code } = await process.untilExit();
    deadline.check();
    if (code === 0) return;
    const log = lastLines(await readFrom(command.logFile, 0), 25);
    throw new LauncherError(
      "START_FAILED",
      `${what} failed (exit code ${String(code)}). Log: ${command.logFile}\n${log}`,
    );
  } finally {
    deadline.signal.removeEventListener("abort", onAbort);
  }
}
