// Outlives the process that started it by a moment. It reads lines from its standard input:
//   +process PID   -process PID   +folder PATH   -folder PATH
// When the input ends, because the other side closed it or died in whatever way, it kills the processes and removes
// the folders that are still on its list. Signals meant for the other side (Ctrl-C reaches a whole terminal) are ignored.
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

const guarded = { process: new Set(), folder: new Set() };

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const match = /^([+-])(process|folder) (.+)$/u.exec(line);
  if (match === null) return;
  const [, sign, kind, value] = match;
  if (sign === "+") guarded[kind].add(value);
  else guarded[kind].delete(value);
});
lines.on("close", () => {
  for (const pid of guarded.process) {
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
  for (const path of guarded.folder) {
    try {
      // A process that was just killed may still write for a moment.
      rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    } catch {
      // Nobody is left to be told.
    }
  }
});
