import { defineConfig } from "vitest/config";

/** Tests that start a real broker: one file after the other, since each takes whole cores. */
export default defineConfig({
  test: {
    include: ["test/real/**/*.test.ts"],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 1_200_000,
    reporters: ["default"],
  },
});
