import { readFile, statfs } from "node:fs/promises";
import { cpus, freemem, hostname, loadavg, totalmem } from "node:os";

/** What one look at this computer shows. Shares go from 0 to 1. */
export interface Telemetry {
  readonly host: string;
  /** Milliseconds since 1970. */
  readonly takenAt: number;
  /** Share of the time that each core was busy since the sample before. */
  readonly coresBusy: readonly number[];
  readonly memoryUsed: number;
  /** Processes that ran or waited to run, on average over the last minute; 0 on Windows. */
  readonly load: number;
  /** Share of the current folder's file system that is in use. */
  readonly diskUsed: number;
  /** Bytes per second over all network interfaces but loopback; undefined where the system does not tell them in a file. */
  readonly network: { readonly received: number; readonly sent: number } | undefined;
}

interface Counters {
  readonly takenAt: number;
  readonly cores: readonly { readonly busyMs: number; readonly totalMs: number }[];
  readonly network: { readonly received: number; readonly sent: number } | undefined;
}

/** Takes samples of this computer. Rates are those since the sample before, so the first needs a moment to look back at. */
export class TelemetrySource {
  #last: Counters;

  private constructor(first: Counters) {
    this.#last = first;
  }

  /** Starts counting. */
  static async open(): Promise<TelemetrySource> {
    return new TelemetrySource(await readCounters());
  }

  /** Takes a sample. */
  async sample(): Promise<Telemetry> {
    const [now, memoryFree, disk] = await Promise.all([readCounters(), readFreeMemory(), statfs(".")]);
    const before = this.#last;
    this.#last = now;
    return {
      host: hostname(),
      takenAt: now.takenAt,
      coresBusy: now.cores.map(({ busyMs, totalMs }, index) => {
        const core = before.cores[index] ?? { busyMs: 0, totalMs: 0 };
        return share(busyMs - core.busyMs, totalMs - core.totalMs);
      }),
      memoryUsed: 1 - share(memoryFree, totalmem()),
      load: loadavg()[0] ?? 0,
      diskUsed: 1 - share(disk.bavail, disk.blocks),
      network: rates(before, now),
    };
  }
}

/** The share of the time that the whole computer was busy. */
export function cpuBusy({ coresBusy }: Telemetry): number {
  return coresBusy.reduce((sum, core) => sum + core, 0) / Math.max(1, coresBusy.length);
}

async function readCounters(): Promise<Counters> {
  const cores = cpus().map(({ times }) => {
    const busyMs = times.user + times.nice + times.sys + times.irq;
    return { busyMs, totalMs: busyMs + times.idle };
  });
  return { takenAt: Date.now(), cores, network: parseNetwork(await readProc("net/dev")) };
}

/** Bytes that programs can still get: the system's own word where there is one, as `freemem` leaves out what is only cached. */
async function readFreeMemory(): Promise<number> {
  const available = /^MemAvailable:\s+(\d+) kB$/mu.exec((await readProc("meminfo")) ?? "")?.[1];
  return available === undefined ? freemem() : Number(available) * 1024;
}

async function readProc(name: string): Promise<string | undefined> {
  try {
    return await readFile(`/proc/${name}`, "utf8");
  } catch {
    return undefined;
  }
}

/** Adds up `/proc/net/dev`: per interface its name, 8 numbers of what it received (bytes first), 8 of what it sent. */
export function parseNetwork(text: string | undefined): Counters["network"] {
  if (text === undefined) return undefined;
  const lines = text.split("\n").filter((line) => line.includes(":") && !line.trimStart().startsWith("lo:"));
  const columns = lines.map((line) =>
    line
      .slice(line.indexOf(":") + 1)
      .trim()
      .split(/\s+/u)
      .map(Number),
  );
  const sum = (index: number): number => columns.reduce((total, numbers) => total + (numbers[index] ?? 0), 0);
  return { received: sum(0), sent: sum(8) };
}

function rates(before: Counters, now: Counters): Telemetry["network"] {
  if (before.network === undefined || now.network === undefined) return undefined;
  const seconds = Math.max(1, now.takenAt - before.takenAt) / 1000;
  return {
    received: Math.max(0, now.network.received - before.network.received) / seconds,
    sent: Math.max(0, now.network.sent - before.network.sent) / seconds,
  };
}

function share(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.min(1, Math.max(0, part / whole));
}
