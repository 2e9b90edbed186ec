const bytesPerUnit: Readonly<Record<string, number>> = { B: 1, kB: 1e3, KB: 1e3, MB: 1e6, GB: 1e9 };

/** Turns Maven's lines about downloads into a line of progress, at most one per interval. */
export class DownloadProgress {
  #jars = 0;
  #bytes = 0;
  #reportedAt: number;
  readonly #report: (line: string) => void;
  readonly #intervalMs: number;
  readonly #now: () => number;

  constructor(report: (line: string) => void, intervalMs = 2_000, now: () => number = Date.now) {
    this.#report = report;
    this.#intervalMs = intervalMs;
    this.#now = now;
    this.#reportedAt = now();
  }

  /** What was downloaded so far, in words. */
  get summary(): string {
    return `${this.#jars} downloaded, ${(this.#bytes / 1e6).toFixed(0)} MB`;
  }

  /** Takes one line of Maven's output. */
  onLine(line: string): void {
    const match = /Downloaded from \S+: \S+\.jar \(([\d.]+) ([kKMG]?B)/u.exec(line);
    if (match === null) return;
    this.#jars++;
    this.#bytes += Number(match[1]) * (bytesPerUnit[match[2] ?? ""] ?? 0);
    if (this.#now() - this.#reportedAt < this.#intervalMs) return;
    this.#reportedAt = this.#now();
    this.#report(`jars: ${this.summary}`);
  }
}
