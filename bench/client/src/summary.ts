import type { Case } from "./cases.ts";
import type { Outcome } from "./job.ts";

/** Medians of one client's rounds in one case. */
export interface Summary {
  readonly peer: string;
  readonly messagesPerSecond: number;
  readonly cpuSecondsPerMillion: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly peakRssMb: number;
}

/** Medians over rounds. */
export function summarise(peer: string, rounds: readonly Outcome[]): Summary {
  const of = (figure: (outcome: Outcome) => number): number => median(rounds.map(figure));
  return {
    peer,
    messagesPerSecond: of(({ messages, seconds }) => messages / seconds),
    cpuSecondsPerMillion: of(({ messages, cpuSeconds }) => (cpuSeconds / messages) * 1e6),
    p50Ms: of(({ p50Ms }) => p50Ms),
    p99Ms: of(({ p99Ms }) => p99Ms),
    peakRssMb: of(({ peakRssMb }) => peakRssMb),
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

/** One case as a Markdown table, with each client's ratio to Go. */
export function renderCase({ name, kind }: Case, summaries: readonly Summary[]): string {
  const go = summaries.find(({ peer }) => peer === "go");
  const lines = [
    `### ${name}`,
    "",
    "| client | k msg/s | of Go | CPU s / million | of Go | p50 ms | p99 ms | peak RSS MB |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
  ];
  for (const summary of summaries) {
    const latency = (ms: number): string => (kind === "produce" ? ms.toFixed(2) : "–");
    const cells = [
      summary.peer,
      (summary.messagesPerSecond / 1000).toFixed(1),
      go === undefined ? "–" : (summary.messagesPerSecond / go.messagesPerSecond).toFixed(2),
      summary.cpuSecondsPerMillion.toFixed(2),
      go === undefined ? "–" : (summary.cpuSecondsPerMillion / go.cpuSecondsPerMillion).toFixed(2),
      latency(summary.p50Ms),
      latency(summary.p99Ms),
      summary.peakRssMb.toFixed(0),
    ];
    lines.push(`| ${cells.join(" | ")} |`);
  }
  return `${lines.join("\n")}\n`;
}
