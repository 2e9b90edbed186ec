import { describe, expect, it } from "vitest";
import type { InvalidConfigurationError } from "../../src/errors.ts";
import { type ProducerOptions, resolveProducerOptions } from "../../src/producer/producer-options.ts";
import { Schema } from "../../src/schema/schema.ts";

describe("the options of a producer", () => {
  it("have the Java client's defaults", () => {
    expect(resolveProducerOptions({ topic: "t" })).toEqual({
      topic: "t",
      name: undefined,
      schema: Schema.bytes,
      sendTimeoutMs: 30_000,
      batchingEnabled: true,
      batchingMaxMessages: 1000,
      batchingMaxBytes: 131_072,
      batchingMaxPublishDelayMs: 1,
      maxPendingMessages: 0,
      blockIfQueueFull: false,
      compressionType: "NONE",
      compressionLevel: undefined,
      initialSequenceId: undefined,
      properties: {},
      accessMode: "Shared",
    });
  });

  it("are copied and frozen", () => {
    const properties = { a: "1" };
    const resolved = resolveProducerOptions({ topic: "t", properties });
    properties.a = "2";
    expect(resolved.properties).toEqual({ a: "1" });
    expect(Object.isFrozen(resolved)).toBe(true);
  });

  it("take a sequence id as number or bigint, from -1", () => {
    const ids = [-1, 5n, 2n ** 60n].map(
      (initialSequenceId) => resolveProducerOptions({ topic: "t", initialSequenceId }).initialSequenceId,
    );
    expect(ids).toEqual([-1, 5, 2n ** 60n]);
  });

  it("report every problem at once", () => {
    const bad = {
      topic: "",
      name: 5,
      schema: {},
      sendTimeoutMs: -1,
      batchingEnabled: "yes",
      batchingMaxMessages: 0,
      batchingMaxBytes: 1.5,
      batchingMaxPublishDelayMs: 2 ** 31,
      maxPendingMessages: Number.NaN,
      blockIfQueueFull: 1,
      compressionType: "lz4",
      compressionLevel: 3,
      initialSequenceId: -2,
      properties: { a: 1 },
      accessMode: "exclusive",
      sendTimeout: 5,
    };
    let error: InvalidConfigurationError | undefined;
    try {
      resolveProducerOptions(bad as unknown as ProducerOptions);
    } catch (thrown) {
      error = thrown as InvalidConfigurationError;
    }
    expect(error?.code).toBe("INVALID_CONFIGURATION");
    expect(error?.problems.map(({ option }) => option).sort()).toEqual(Object.keys(bad).sort());
    expect(error?.message).toContain('accessMode must be "Shared" or "Exclusive"');
  });

  it.each([
    ["NONE", 1, false],
    ["LZ4", 1, false],
    ["ZLIB", 0, true],
    ["ZLIB", 10, false],
    ["ZSTD", 22, true],
    ["ZSTD", 0, false],
  ] as const)("know the levels of %s: %i", (compressionType, compressionLevel, isValid) => {
    const resolve = (): unknown => resolveProducerOptions({ topic: "t", compressionType, compressionLevel });
    if (isValid) expect(resolve()).toMatchObject({ compressionLevel });
    else expect(resolve).toThrow(/compressionLevel must be/);
  });
});
