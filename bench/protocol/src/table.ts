import type { Measurement } from "./measure.ts";

/** Renders measurements as a Markdown table. `unit` names the operation; `perSecond` adds operations per second. */
export function renderTable(
  title: string,
  unit: string,
  rows: readonly Measurement[],
  notes: ReadonlyMap<string, string> = new Map(),
): string {
  const withNotes = notes.size > 0;
  const head = ["", `ns / ${unit}`, "MB/s", `million ${unit}s/s`, ...(withNotes ? ["note"] : [])];
  const lines = [head, head.map((_, i) => (i === 0 || i === 4 ? "---" : "---:"))];
  for (const { name, nanosPerOperation, megabytesPerSecond } of rows) {
    lines.push([
      name,
      figure(nanosPerOperation),
      megabytesPerSecond === undefined ? "–" : figure(megabytesPerSecond),
      figure(1000 / nanosPerOperation),
      ...(withNotes ? [notes.get(name) ?? ""] : []),
    ]);
  }
  return [`### ${title}`, "", ...lines.map((cells) => `| ${cells.join(" | ")} |`), ""].join("\n");
}

/** Three significant digits. */
export function figure(value: number): string {
  if (value >= 100) return Math.round(value).toString();
  return value.toFixed(value >= 10 ? 1 : value >= 1 ? 2 : 3);
}
