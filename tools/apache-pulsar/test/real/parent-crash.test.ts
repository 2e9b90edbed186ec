import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, vi } from "vitest";
import { isAlive } from "../../src/files/lock-file.ts";
import { packageFolder } from "../../src/package-folder.ts";

const script = `
  import { register } from "tsx/esm/api";
  register();
  const { startStandalone } = await import("./src/index.ts");
  const { pid, dir } = await startStandalone();
  console.log(JSON.stringify({ pid, dir }));
  setInterval(() => {}, 1000);
`;

it("leaves no JVM and no folder behind when its parent is killed", async () => {
  const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
    cwd: packageFolder(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: parent.stdout });
  const [line] = (await once(lines, "line")) as [string];
  const { pid, dir } = JSON.parse(line) as { readonly pid: number; readonly dir: string };
  expect(isAlive(pid)).toBe(true);
  expect(existsSync(join(dir, "pulsar.log"))).toBe(true);
  parent.kill("SIGKILL");
  await once(parent, "exit");
  await vi.waitUntil(() => !isAlive(pid) && !existsSync(dir), { timeout: 20_000, interval: 50 });
});
