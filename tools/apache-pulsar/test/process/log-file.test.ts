import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fileSize, lastLines, readFrom, tellsBindClash } from "../../src/process/log-file.ts";

it("reads a log from a position on, at most its end", async () => {
  const folder = await mkdtemp(join(tmpdir(), "log-"));
  const file = join(folder, "log");
  expect(await fileSize(file)).toBe(0);
  expect(await readFrom(file, 0)).toBe("");
  await writeFile(file, "first\nsecond\nthird\n");
  expect(await fileSize(file)).toBe(19);
  expect(await readFrom(file, 6)).toBe("second\nthird\n");
  expect(await readFrom(file, 6, 6)).toBe("third\n");
  await rm(folder, { recursive: true });
});

it("gives the last lines that say something, cut where they are long", () => {
  expect(lastLines("a\n\nb\r\nc\n", 2)).toBe("b\nc");
  expect(lastLines("x".repeat(400), 1)).toBe(`${"x".repeat(300)}...`);
});

it("knows a bind clash from other failures", () => {
  expect(tellsBindClash("java.io.IOException: Failed to bind to /127.0.0.1:8080")).toBe(true);
  expect(tellsBindClash("java.net.BindException: Address already in use")).toBe(true);
  expect(tellsBindClash("java.lang.OutOfMemoryError")).toBe(false);
});
