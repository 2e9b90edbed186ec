import { defineConfig } from "vitest/config";

/** The behaviours, against real brokers: two files at a time, since each broker wants a core. */
export default defineConfig({
  test: {
    include: ["test/{behaviours,resilience,interop,resources}/**/*.test.ts"],
    globalSetup: ["src/run/global-setup.ts"],
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 600_000,
  },
});
