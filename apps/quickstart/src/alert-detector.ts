import { availableParallelism } from "node:os";
import { cpuBusy, type Telemetry } from "./telemetry.ts";

/** Something that went over its limit. */
export interface Alert {
  readonly name: string;
  readonly text: string;
}

interface Rule {
  readonly name: string;
  readonly limit: number;
  readonly value: (sample: Telemetry) => number;
  readonly show: (value: number) => string;
}

const percent = (value: number): string => `${Math.round(value * 100)} %`;

const rules: readonly Rule[] = [
  { name: "cpu", limit: 0.8, value: cpuBusy, show: percent },
  { name: "busiest core", limit: 0.95, value: (sample) => Math.max(...sample.coresBusy), show: percent },
  { name: "memory", limit: 0.9, value: (sample) => sample.memoryUsed, show: percent },
  { name: "disk", limit: 0.9, value: (sample) => sample.diskUsed, show: percent },
  {
    name: "load",
    limit: availableParallelism(),
    value: (sample) => sample.load,
    show: (value) => value.toFixed(1),
  },
];

/** Compares samples with limits. An alert is raised once, when its value goes over the limit, and again only after it fell. */
export class AlertDetector {
  readonly #raised: Set<string> = new Set();

  /** The alerts that begin with this sample. */
  check(sample: Telemetry): readonly Alert[] {
    return rules.flatMap(({ name, limit, value, show }) => {
      const measured = value(sample);
      if (measured <= limit) {
        this.#raised.delete(name);
        return [];
      }
      if (this.#raised.has(name)) return [];
      this.#raised.add(name);
      return [{ name, text: `${name} ${show(measured)}, limit ${show(limit)}` }];
    });
  }
}
