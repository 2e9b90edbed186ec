import { defineConfig } from "vitest/config";

/** The app as its user runs it, on a real broker. The first start ever downloads Apache Pulsar. */
export default defineConfig({
  test: { include: ["test/end-to-end/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 1_200_000 },
});
