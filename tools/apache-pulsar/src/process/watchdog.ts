import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { packageFolder } from "../package-folder.ts";

/**
 * Owns the one watchdog of this process: a small child that kills the guarded processes and removes the guarded folders
 * as soon as this process is gone, even by SIGKILL. It notices by its standard input closing, and keeps nothing alive.
 */
const guarded = new Set<string>();
let watchdog: { readonly child: ChildProcess; readonly input: Writable } | undefined;

/** Has the process killed once this process is gone. */
export function guardProcess(pid: number): void {
  guard(`process ${pid}`);
}

/** To be called as soon as the process has ended, before its id is given to another. */
export function unguardProcess(pid: number): void {
  unguard(`process ${pid}`);
}

/** Has the folder removed once this process is gone. */
export function guardFolder(path: string): void {
  guard(`folder ${path}`);
}

/** Leaves the folder where it is. */
export function unguardFolder(path: string): void {
  unguard(`folder ${path}`);
}

function guard(entry: string): void {
  guarded.add(entry);
  if (watchdog === undefined) startWatchdog();
  else watchdog.input.write(`+${entry}\n`);
}

function unguard(entry: string): void {
  if (guarded.delete(entry)) watchdog?.input.write(`-${entry}\n`);
}

function startWatchdog(): void {
  // Detached, so that a signal to the whole process group does not reach it.
  const child = spawn(process.execPath, [join(packageFolder(), "bin", "watchdog.mjs")], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    env: {},
    windowsHide: true,
  });
  const input = child.stdin;
  const started = { child, input };
  watchdog = started;
  const onGone = (): void => {
    if (watchdog === started) watchdog = undefined;
  };
  child.once("exit", onGone);
  child.once("error", onGone);
  input.on("error", onGone);
  child.unref();
  // The pipe is a socket underneath, which would keep this process alive.
  if ("unref" in input && typeof input.unref === "function") input.unref();
  for (const entry of guarded) input.write(`+${entry}\n`);
}
