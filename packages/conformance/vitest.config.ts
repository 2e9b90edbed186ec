import { defineConfig } from "vitest/config";

/** What needs no broker: the suite's own tools. */
export default defineConfig({ test: { include: ["test/fault-proxy/**/*.test.ts", "test/suite/**/*.test.ts"] } });
