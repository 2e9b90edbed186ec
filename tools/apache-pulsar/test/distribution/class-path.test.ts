import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { distributionFolder, pulsarVersion } from "../../src/distribution/cache-folder.ts";
import { cachedClassPath } from "../../src/distribution/class-path.ts";

let cache: string;
beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), "cache-"));
  vi.stubEnv("PULSEWIRE_CACHE", cache);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(cache, { recursive: true, force: true });
});

const cacheJars = async (...names: readonly string[]): Promise<string> => {
  const classPath = names.map((name) => join(cache, name)).join(delimiter);
  await mkdir(await distributionFolder(), { recursive: true });
  await writeFile(join(await distributionFolder(), "classpath"), classPath);
  return classPath;
};

it("keeps the class path by version and pom under PULSEWIRE_CACHE", async () => {
  expect(await distributionFolder()).toMatch(new RegExp(`^${cache}.apache-pulsar-${pulsarVersion}-[0-9a-f]{12}$`, "u"));
});

it("gives back a cached class path while all its jars are there", async () => {
  const classPath = await cacheJars("a.jar", "b.jar");
  await writeFile(join(cache, "a.jar"), "");
  expect(await cachedClassPath()).toBeUndefined();
  await writeFile(join(cache, "b.jar"), "");
  expect(await cachedClassPath()).toBe(classPath);
});

it("has no class path in an empty cache", async () => {
  expect(await cachedClassPath()).toBeUndefined();
});
