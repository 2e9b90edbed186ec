// Lines about what a command is doing, for people: plain where the output is no terminal.

const isTerminal = process.stderr.isTTY === true && process.env.TERM !== "dumb";

/** Prints a line. @param {string} line */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Shows a line with the seconds that went by while `work` runs.
 * @template T
 * @param {string} label
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(label, work) {
  const startedAt = Date.now();
  const show = () => process.stderr.write(`\r\x1b[K${label} ... ${formatSeconds(Date.now() - startedAt)}`);
  if (!isTerminal) say(`${label} ...`);
  else show();
  const timer = isTerminal ? setInterval(show, 1000) : undefined;
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (isTerminal) process.stderr.write("\r\x1b[K");
  }
}

/** E.g. `2.1 s`, `3 min 5 s`. @param {number} durationMs */
export function formatSeconds(durationMs) {
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
