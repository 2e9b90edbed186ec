import { access, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Deadline } from "../../src/deadline.ts";
import { withLockFile } from "../../src/files/lock-file.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lock-"));
  file = join(folder, "lock");
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));
const deadline = (): Deadline => new Deadline("the test", {}, 10_000);

it("lets one holder work at a time and tells the other one that it waits", async () => {
  const events: string[] = [];
  let finish = (): void => undefined;
  const first = withLockFile(
    file,
    deadline(),
    () => undefined,
    async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      events.push("first");
    },
  );
  const second = withLockFile(
    file,
    deadline(),
    () => {
      events.push("waiting");
      finish();
    },
    async () => events.push("second"),
  );
  await Promise.all([first, second]);
  expect(events).toEqual(["waiting", "first", "second"]);
});

it("takes over the lock of a process that is gone", async () => {
  await writeFile(file, "999999999");
  expect(
    await withLockFile(
      file,
      deadline(),
      () => undefined,
      async () => await readFile(file, "utf8"),
    ),
  ).toBe(String(process.pid));
});

it("removes the lock when the work fails", async () => {
  const failing = withLockFile(
    file,
    deadline(),
    () => undefined,
    async () => await Promise.reject(new Error("no")),
  );
  await expect(failing).rejects.toThrow("no");
  await expect(access(file)).rejects.toMatchObject({ code: "ENOENT" });
});
