import { expect, it } from "vitest";
import { AlertDetector } from "../src/alert-detector.ts";
import type { Telemetry } from "../src/telemetry.ts";

const calm: Telemetry = {
  host: "here",
  takenAt: 0,
  coresBusy: [0.1, 0.1],
  memoryUsed: 0.5,
  load: 0,
  diskUsed: 0.5,
  network: undefined,
};

it("raises nothing at or below the limits", () => {
  expect(new AlertDetector().check({ ...calm, memoryUsed: 0.9, coresBusy: [0.8, 0.8] })).toEqual([]);
});

it("raises an alert once while its value stays over the limit, and again after it fell", () => {
  const detector = new AlertDetector();
  const names = [0.95, 0.97, 0.5, 0.91].map((memoryUsed) =>
    detector.check({ ...calm, memoryUsed }).map(({ name }) => name),
  );
  expect(names).toEqual([["memory"], [], [], ["memory"]]);
});

it("tells a busy core from a busy computer", () => {
  expect(new AlertDetector().check({ ...calm, coresBusy: [1, 0] })).toEqual([
    { name: "busiest core", text: "busiest core 100 %, limit 95 %" },
  ]);
});
