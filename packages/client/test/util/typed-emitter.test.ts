import { expect, it } from "vitest";
import { silentLogger } from "../../src/util/logger.ts";
import { TypedEmitter } from "../../src/util/typed-emitter.ts";
import { reactions } from "./manual-clock.ts";

interface Events {
  readonly change: number;
}

it("tells listeners later, in their order, and not those who left meanwhile", async () => {
  const emitter = new TypedEmitter<Events>(silentLogger);
  const heard: string[] = [];
  emitter.on("change", (value) => heard.push(`first ${value}`));
  const leave = emitter.on("change", (value) => heard.push(`second ${value}`));
  emitter.on("change", (value) => heard.push(`third ${value}`));
  emitter.emit("change", 1);
  leave();
  expect(heard).toEqual([]);
  await reactions();
  expect(heard).toEqual(["first 1", "third 1"]);
});

// B41
it("logs what a listener throws or rejects with, and tells the others", async () => {
  const errors: unknown[] = [];
  const emitter = new TypedEmitter<Events>({
    ...silentLogger,
    error: (_message, fields) => errors.push(fields?.["error"]),
  });
  const heard: number[] = [];
  emitter.on("change", () => {
    throw new Error("thrown");
  });
  emitter.on("change", () => Promise.reject(new Error("rejected")));
  emitter.on("change", (value) => heard.push(value));
  emitter.emit("change", 1);
  await reactions();
  expect(errors).toMatchObject([{ message: "thrown" }, { message: "rejected" }]);
  expect(heard).toEqual([1]);
});

it("knows whether anybody listens", () => {
  const emitter = new TypedEmitter<Events>(silentLogger);
  expect(emitter.hasListeners("change")).toBe(false);
  const leave = emitter.on("change", () => {});
  expect(emitter.hasListeners("change")).toBe(true);
  leave();
  expect(emitter.hasListeners("change")).toBe(false);
});
