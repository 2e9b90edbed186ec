import { defineConfig } from "vitest/config";

/** One packing and one installation for all files. */
export default defineConfig({
  test: { globalSetup: ["src/global-setup.ts"], testTimeout: 120_000, hookTimeout: 300_000 },
});
