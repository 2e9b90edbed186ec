import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it, vi } from "vitest";
import { isAlive } from "../../src/files/lock-file.ts";
import { packageFolder } from "../../src/package-folder.ts";

/** Guards a process and two folders, gives one folder free again, and waits for its end. */
const script = (kept: string, removed: string): string => `
  import { spawn } from "node:child_process";
  import { register } from "tsx/esm/api";
  register();
  const watchdog = await import("./src/process/watchdog.ts");
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });
  watchdog.guardProcess(child.pid);
  watchdog.guardFolder(${JSON.stringify(kept)});
  watchdog.guardFolder(${JSON.stringify(removed)});
  watchdog.unguardFolder(${JSON.stringify(kept)});
  console.log(child.pid);
  setInterval(() => {}, 1000);
`;

it.skipIf(process.platform === "win32").each(["SIGKILL", "SIGINT"] as const)(
  "kills what is guarded and removes guarded folders when the guarding process ends by %s",
  async (signal) => {
    const [kept, removed] = [mkdtempSync(join(tmpdir(), "kept-")), mkdtempSync(join(tmpdir(), "removed-"))];
    writeFileSync(join(removed, "file"), "content");
    const parent = spawn(process.execPath, ["--input-type=module", "-e", script(kept, removed)], {
      cwd: packageFolder(),
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(createInterface({ input: parent.stdout }), "line")) as [string];
    const pid = Number(line);
    expect(isAlive(pid)).toBe(true);
    parent.kill(signal);
    await vi.waitUntil(() => !isAlive(pid) && !existsSync(removed), { timeout: 10_000, interval: 20 });
    expect(existsSync(kept)).toBe(true);
    rmSync(kept, { recursive: true });
  },
  20_000,
);
