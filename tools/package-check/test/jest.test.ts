import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { createOutsideFolder } from "../src/outside-folder.ts";
import { runProgram } from "../src/run-program.ts";

const jest = join(dirname(createRequire(import.meta.url).resolve("jest/package.json")), "bin", "jest.js");

it("runs under Jest in a CommonJS project without any configuration of transforms", () => {
  const folder = createOutsideFolder({
    "package.json": JSON.stringify({ name: "case", private: true }),
    "jest.config.js":
      `module.exports = { rootDir: ${JSON.stringify("<here>")}, testEnvironment: "node", transform: {} };`.replace(
        '"<here>"',
        "__dirname",
      ),
    "client.test.js": `
      const { MessageId, PulsarClient, PulsarError } = require("@pulsewire/client");
      const { compressionRegistry } = require("@pulsewire/protocol");
      test("closes", async () => {
        const client = new PulsarClient({ serviceUrl: "pulsar://localhost:6650" });
        await client.close();
        await expect(client.createProducer({ topic: "t" })).rejects.toMatchObject({ code: "ALREADY_CLOSED" });
        expect(MessageId.latest.compareTo(MessageId.earliest)).toBeGreaterThan(0);
      });
      test("knows its errors in Jest's own realm", () => {
        let thrown;
        try { new PulsarClient({ serviceUrl: "" }); } catch (error) { thrown = error; }
        expect(PulsarError.isPulsarError(thrown)).toBe(true);
      });
      test.each(["LZ4", "ZLIB", "ZSTD", "SNAPPY"])("compresses with %s", async (type) => {
        const codec = await compressionRegistry.load(type);
        const bytes = Buffer.from("pulsar ".repeat(100));
        expect(Buffer.from(codec.decompress(codec.compress(bytes), bytes.length)).equals(bytes)).toBe(true);
      });
    `,
  });
  const { code, output } = runProgram(process.execPath, [jest, "--ci", "--rootDir", folder], folder);
  expect(output).toContain("6 passed, 6 total");
  expect(code).toBe(0);
});
