import { Deadline, type WaitOptions } from "../deadline.ts";
import { Broker, type BrokerHandle } from "../instance/broker-handle.ts";
import { createAccess, type InstanceAccess } from "../instance/instance-access.ts";
import { InstanceFolder } from "../instance/instance-folder.ts";
import { toInstanceMemory } from "../instance/instance-memory.ts";
import { createSecurity } from "../instance/instance-security.ts";
import { withStartAttempts } from "../instance/start-attempts.ts";
import { prepare } from "../prepare.ts";
import { choosePorts } from "../process/free-ports.ts";
import type { StandaloneOptions } from "./standalone-options.ts";
import { createStandaloneService } from "./standalone-service.ts";

/** A running standalone Apache Pulsar: broker, bookie, metadata, admin REST and WebSocket in one JVM. */
export interface Standalone extends BrokerHandle, InstanceAccess, AsyncDisposable {
  /** Holds configuration, data and log. */
  readonly dir: string;
  /** Stops it and removes its temporary folder; it cannot be started again. */
  close(): Promise<void>;
}

const startTimeoutMs = 120_000;

/**
 * Starts a standalone Apache Pulsar and waits until `public/default` is usable. Default of `timeoutMs`: 120 000.
 * Throws `REQUIREMENT_MISSING`, `RESOLVE_FAILED`, `INVALID_OPTION`, `START_FAILED` (with the end of the log), `TIMEOUT`, `ABORTED`.
 */
export async function startStandalone(options: StandaloneOptions = {}): Promise<Standalone> {
  const distribution = await prepare({
    signal: options.signal,
    onProgress: options.onProgress,
    useClassArchive: options.useClassArchive,
  });
  const deadline = new Deadline("the start of Apache Pulsar standalone", options, startTimeoutMs);
  const wait: WaitOptions = { signal: deadline.signal, timeoutMs: options.timeoutMs ?? startTimeoutMs };
  const folder = await InstanceFolder.open(options.dir, options.keep ?? false);
  const memory = toInstanceMemory(await folder.readMemory());
  return await withStartAttempts(folder, memory !== undefined, async () => {
    deadline.check();
    const security = await createSecurity(options, folder.path, memory);
    const chosen = await choosePorts({
      binary: options.port ?? memory?.ports["binary"] ?? 0,
      http: options.httpPort ?? memory?.ports["http"] ?? 0,
      bookie: memory?.ports["bookie"] ?? 0,
      binaryTls: options.tlsPort ?? memory?.ports["binaryTls"] ?? 0,
      httpTls: options.httpsPort ?? memory?.ports["httpTls"] ?? 0,
    });
    const { binary, http, bookie } = chosen;
    const ports = security.tls === undefined ? { binary, http, bookie } : chosen;
    const service = await createStandaloneService({
      distribution,
      folder: folder.path,
      ports,
      security,
      settings: options.config ?? {},
      heapMb: options.heapMb ?? 768,
      directMemoryMb: options.directMemoryMb ?? 768,
      jvmArgs: options.jvmArgs ?? [],
    });
    await service.start(wait);
    await folder.writeMemory({ ports, tokenSecret: security.tokenSecret?.toString("base64"), tls: security.tls });
    const access = createAccess(security);
    const close = async (): Promise<void> => {
      await service.stop();
      await folder.close();
    };
    return Object.assign(new Broker(service, ports, access.adminToken), access, {
      dir: folder.path,
      close,
      [Symbol.asyncDispose]: close,
    });
  });
}
