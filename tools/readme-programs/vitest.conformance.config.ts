import { defineConfig } from "vitest/config";

/** The programs, against a real broker. The first start ever downloads Apache Pulsar. */
export default defineConfig({
  test: { include: ["test/real/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 1_200_000 },
});
