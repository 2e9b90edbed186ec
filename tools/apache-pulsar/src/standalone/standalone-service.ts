import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { missingOfBroker } from "../broker-config/broker-probe.ts";
import {
  accessSettings,
  adminRole,
  type BrokerPorts,
  type BrokerSecurity,
  featureSettings,
} from "../broker-config/broker-settings.ts";
import { jvmArguments } from "../broker-config/jvm-arguments.ts";
import { loggingXml } from "../broker-config/logging-xml.ts";
import { type Settings, toPropertiesText } from "../broker-config/properties-text.ts";
import type { Distribution } from "../prepare.ts";
import { JavaService } from "../process/java-service.ts";
import { createToken } from "../token.ts";

/** What a standalone broker is made of, everything resolved. */
export interface StandaloneServiceOptions {
  readonly distribution: Distribution;
  /** Holds configuration, data and log. */
  readonly folder: string;
  readonly ports: BrokerPorts & { readonly bookie: number };
  readonly security: BrokerSecurity;
  /** Override all other settings. */
  readonly settings: Settings;
  readonly heapMb: number;
  readonly directMemoryMb: number;
  readonly jvmArgs: readonly string[];
}

/** Writes the configuration of a standalone broker and makes its service, which is not started yet. */
export async function createStandaloneService(options: StandaloneServiceOptions): Promise<JavaService> {
  const { distribution, folder, ports, security } = options;
  const configFile = join(folder, "standalone.conf");
  const loggingFile = join(folder, "log4j2.xml");
  const settings: Settings = {
    clusterName: "standalone",
    ...featureSettings,
    loadBalancerEnabled: false,
    // A disk that is nearly full elsewhere must not turn the bookie read-only.
    diskUsageThreshold: 0.99,
    diskUsageWarnThreshold: 0.99,
    ...accessSettings(ports, security),
    ...options.settings,
  };
  await mkdir(folder, { recursive: true });
  await writeFile(configFile, toPropertiesText(settings), { mode: 0o600 });
  await writeFile(loggingFile, loggingXml);
  const probe = {
    adminUrl: `http://127.0.0.1:${ports.http}`,
    token: security.tokenSecret === undefined ? undefined : createToken(security.tokenSecret, adminRole),
    autoTopicCreation: String(settings["allowAutoTopicCreation"]) === "true",
    brokers: (): number => 1,
  };
  return new JavaService({
    name: "Apache Pulsar standalone",
    command: {
      java: distribution.java.file,
      jvmArgs: jvmArguments({
        heapMb: options.heapMb,
        directMemoryMb: options.directMemoryMb,
        loggingFile,
        classArchive: distribution.classArchive,
        more: options.jvmArgs,
      }),
      classPath: distribution.classPath,
      mainClass: "org.apache.pulsar.PulsarStandaloneStarter",
      args: [
        "--config",
        configFile,
        "--no-functions-worker",
        "--no-stream-storage",
        "--metadata-dir",
        join(folder, "data", "metadata"),
        "--bookkeeper-dir",
        join(folder, "data", "bookkeeper"),
        // The bookie keeps the port of its first start for ever: it is written into its data.
        "--bookkeeper-port",
        String(ports.bookie),
      ],
      folder,
      logFile: join(folder, "pulsar.log"),
    },
    missing: async (signal) => await missingOfBroker(probe, signal),
    graceMs: 30_000,
    startTimeoutMs: 120_000,
  });
}
