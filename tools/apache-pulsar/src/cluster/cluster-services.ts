import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { missingOfBroker } from "../broker-config/broker-probe.ts";
import { accessSettings, adminRole, type BrokerSecurity, featureSettings } from "../broker-config/broker-settings.ts";
import { jvmArguments } from "../broker-config/jvm-arguments.ts";
import { loggingXml } from "../broker-config/logging-xml.ts";
import { type Settings, toPropertiesText } from "../broker-config/properties-text.ts";
import type { Distribution } from "../prepare.ts";
import type { JavaCommand } from "../process/java-process.ts";
import { JavaService } from "../process/java-service.ts";
import { acceptsConnections } from "../process/port-opens.ts";
import { createToken } from "../token.ts";
import type { ClusterPorts } from "./cluster-ports.ts";
import { dumpSessions, holdsNode } from "./ephemeral-nodes.ts";

/** What a cluster is made of, everything resolved. */
export interface ClusterServicesOptions {
  readonly distribution: Distribution;
  /** Holds configuration, data and logs. */
  readonly folder: string;
  readonly ports: ClusterPorts;
  readonly security: BrokerSecurity;
  /** Override all other settings of the brokers. */
  readonly settings: Settings;
  readonly heapMb: number;
  readonly directMemoryMb: number;
  readonly jvmArgs: readonly string[];
}

/** The parts of a cluster, none of which is started yet. */
export interface ClusterServices {
  readonly zooKeeper: JavaService;
  /** Writes the cluster's first metadata into ZooKeeper and ends. */
  readonly metadataSetup: JavaCommand;
  readonly bookie: JavaService;
  readonly brokers: readonly JavaService[];
}

/** Pulsar's own drivers for the bookie's metadata, which the bookie does not know by itself. */
const bookieDrivers = [
  "-Dbookkeeper.metadata.client.drivers=org.apache.pulsar.metadata.bookkeeper.PulsarMetadataClientDriver",
  "-Dbookkeeper.metadata.bookie.drivers=org.apache.pulsar.metadata.bookkeeper.PulsarMetadataBookieDriver",
];

/** Writes the configuration of all parts and makes their services. */
export async function createClusterServices(options: ClusterServicesOptions): Promise<ClusterServices> {
  const { folder, ports } = options;
  await mkdir(join(folder, "data"), { recursive: true });
  await writeFile(join(folder, "log4j2.xml"), loggingXml);
  const metadataUrl = `zk:127.0.0.1:${ports.zooKeeper}`;
  const brokers: JavaService[] = [];
  for (const index of ports.brokers.keys()) {
    brokers.push(await createBroker(options, index, metadataUrl, () => brokers));
  }
  return {
    zooKeeper: await createZooKeeper(options),
    metadataSetup: createMetadataSetup(options, metadataUrl),
    bookie: await createBookie(options, metadataUrl),
    brokers,
  };
}

function createCommand(
  options: ClusterServicesOptions,
  name: string,
  mainClass: string,
  args: readonly string[],
  memory: { readonly heapMb: number; readonly directMemoryMb: number },
  more: readonly string[],
): JavaCommand {
  const { distribution, folder } = options;
  const jvmArgs = jvmArguments({
    ...memory,
    loggingFile: join(folder, "log4j2.xml"),
    classArchive: distribution.classArchive,
    more,
  });
  return {
    java: distribution.java.file,
    jvmArgs,
    classPath: distribution.classPath,
    mainClass,
    args,
    folder,
    logFile: join(folder, `${name}.log`),
  };
}

async function writeConfig(options: ClusterServicesOptions, name: string, settings: Settings): Promise<string> {
  const file = join(options.folder, `${name}.conf`);
  await writeFile(file, toPropertiesText(settings), { mode: 0o600 });
  return file;
}

async function createZooKeeper(options: ClusterServicesOptions): Promise<JavaService> {
  const { folder, ports } = options;
  const config = await writeConfig(options, "zookeeper", {
    tickTime: 1000,
    dataDir: join(folder, "data", "zookeeper"),
    clientPort: ports.zooKeeper,
    clientPortAddress: "127.0.0.1",
    "admin.enableServer": false,
    "4lw.commands.whitelist": "dump",
  });
  const main = "org.apache.zookeeper.server.quorum.QuorumPeerMain";
  return new JavaService({
    name: "ZooKeeper",
    command: createCommand(options, "zookeeper", main, [config], { heapMb: 256, directMemoryMb: 128 }, []),
    missing: async (signal) =>
      (await acceptsConnections(ports.zooKeeper, signal)) ? undefined : `port ${ports.zooKeeper} to open`,
    graceMs: 10_000,
    startTimeoutMs: 60_000,
  });
}

function createMetadataSetup(options: ClusterServicesOptions, metadataUrl: string): JavaCommand {
  const { brokers } = options.ports;
  const all = (port: "binary" | "http"): string => brokers.map((broker) => `127.0.0.1:${broker[port]}`).join(",");
  const args = [
    "--cluster",
    "standalone",
    "--metadata-store",
    metadataUrl,
    "--configuration-metadata-store",
    metadataUrl,
    "--web-service-url",
    `http://${all("http")}`,
    "--broker-service-url",
    `pulsar://${all("binary")}`,
  ];
  const main = "org.apache.pulsar.PulsarClusterMetadataSetup";
  return createCommand(options, "metadata-setup", main, args, { heapMb: 256, directMemoryMb: 128 }, []);
}

async function createBookie(options: ClusterServicesOptions, metadataUrl: string): Promise<JavaService> {
  const { folder, ports } = options;
  const config = await writeConfig(options, "bookie", {
    bookiePort: ports.bookie,
    advertisedAddress: "127.0.0.1",
    allowLoopback: true,
    journalDirectory: join(folder, "data", "journal"),
    ledgerDirectories: join(folder, "data", "ledgers"),
    metadataServiceUri: `metadata-store:${metadataUrl}`,
    ledgerStorageClass: "org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage",
    dbStorage_writeCacheMaxSizeMb: 64,
    dbStorage_readAheadCacheMaxSizeMb: 32,
    // What was written outlives the process, though not a crash of the machine.
    journalSyncData: false,
    httpServerEnabled: false,
    nettyMaxFrameSizeBytes:
      options.settings["nettyMaxFrameSizeBytes"] ?? featureSettings["nettyMaxFrameSizeBytes"] ?? 0,
    diskUsageThreshold: 0.99,
    diskUsageWarnThreshold: 0.99,
    // How long a killed bookie stays registered, and the next one has to wait.
    zkTimeout: 4_000,
  });
  const registration = `/ledgers/available/127.0.0.1:${ports.bookie}`;
  const isRegistered = async (signal: AbortSignal): Promise<boolean> =>
    holdsNode(await dumpSessions(ports.zooKeeper, signal), registration);
  const memory = { heapMb: 384, directMemoryMb: 512 };
  const main = "org.apache.bookkeeper.server.Main";
  return new JavaService({
    name: "bookie",
    command: createCommand(options, "bookie", main, ["--conf", config], memory, bookieDrivers),
    // A bookie that finds itself registered by an earlier, killed process ends again, after its port has opened.
    obstacle: async (signal) => ((await isRegistered(signal)) ? "the end of the last bookie's session" : undefined),
    missing: async (signal) => ((await isRegistered(signal)) ? undefined : "its registration in ZooKeeper"),
    graceMs: 10_000,
    startTimeoutMs: 60_000,
  });
}

async function createBroker(
  options: ClusterServicesOptions,
  index: number,
  metadataUrl: string,
  allBrokers: () => readonly JavaService[],
): Promise<JavaService> {
  const { security } = options;
  const ports = options.ports.brokers[index] ?? { binary: 0, http: 0 };
  const name = `broker-${index}`;
  const settings: Settings = {
    clusterName: "standalone",
    metadataStoreUrl: metadataUrl,
    configurationMetadataStoreUrl: metadataUrl,
    // How long the topics of a killed broker stay without one.
    metadataStoreSessionTimeoutMillis: 8_000,
    ...featureSettings,
    bookkeeperNumberOfChannelsPerBookie: 4,
    loadBalancerEnabled: true,
    // Topics move only when a test moves them.
    loadBalancerSheddingEnabled: false,
    ...accessSettings(ports, security),
    ...options.settings,
  };
  const config = await writeConfig(options, name, settings);
  const main = "org.apache.pulsar.PulsarBrokerStarter";
  const probe = {
    adminUrl: `http://127.0.0.1:${ports.http}`,
    token: security.tokenSecret === undefined ? undefined : createToken(security.tokenSecret, adminRole),
    autoTopicCreation: String(settings["allowAutoTopicCreation"]) === "true",
    brokers: (): number => allBrokers().filter((broker) => ["starting", "running"].includes(broker.state)).length,
  };
  return new JavaService({
    name: `broker ${index}`,
    command: createCommand(options, name, main, ["--broker-conf", config], options, options.jvmArgs),
    missing: async (signal) => await missingOfBroker(probe, signal),
    graceMs: 30_000,
    startTimeoutMs: 120_000,
  });
}
