import { plot } from "simple-ascii-chart";
import { cpuBusy, type Telemetry } from "./telemetry.ts";

const heightInLines = 8;

/** Draws the history: CPU and memory in percent over the seconds since its first sample. `width` is in characters. */
export function drawCharts(history: readonly Telemetry[], width: number): string {
  const charts = [
    drawChart("CPU busy, %", history, width, cpuBusy),
    drawChart("memory used, %", history, width, (sample) => sample.memoryUsed),
  ];
  return charts.join("\n");
}

function drawChart(
  title: string,
  history: readonly Telemetry[],
  width: number,
  share: (sample: Telemetry) => number,
): string {
  const startedAt = history[0]?.takenAt ?? 0;
  const points = history.map((sample): [number, number] => [(sample.takenAt - startedAt) / 1000, share(sample) * 100]);
  const lastSecond = points.at(-1)?.[0] ?? 0;
  const chart = plot(points, {
    title,
    width,
    height: heightInLines,
    yRange: [0, 100],
    customYAxisTicks: [0, 50, 100],
    customXAxisTicks: [0, Math.floor(lastSecond / 2), Math.floor(lastSecond)],
    fillArea: true,
    formatter: (value, { axis }) => (axis === "x" ? `${Math.round(value)} s` : Math.round(value)),
  });
  const lines = chart.split("\n").map((line) => line.trimEnd());
  return lines.filter((line) => line !== "").join("\n");
}
