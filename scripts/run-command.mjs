// Child processes that never outlive the command: a signal is passed on once, and who does not end is killed.
import { spawn } from "node:child_process";

/** Signals that end a command, with the exit code that says so. */
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
const graceMs = 20_000;
const running = new Set();
const groups = new WeakSet();
let interruptedBy;

/** The exit code of an interrupted command; undefined while nothing has interrupted it. */
export function interruptedCode() {
  return interruptedBy === undefined ? undefined : signals[interruptedBy];
}

/**
 * Runs a program to its end.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {object} options
 * @param {string} options.cwd
 * @param {NodeJS.ProcessEnv} options.env
 * @param {"inherit" | "capture"} options.output `inherit` shows it as it comes, `capture` only returns it
 * @param {boolean} [options.signalsGroup] pass a signal to the child's own children too: turbo's launcher does not
 * @returns {Promise<{ code: number, output: string }>} a program ended by a signal has code 1
 */
export async function runCommand(file, args, { cwd, env, output, signalsGroup = false }) {
  listen();
  const stdio = output === "inherit" ? "inherit" : ["ignore", "pipe", "pipe"];
  // A group of its own: Ctrl-C in a terminal reaches us alone, and the child gets exactly one signal, from us.
  const child = spawn(file, args, { cwd, env, stdio, detached: process.platform !== "win32" });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
    });
  }
  running.add(child);
  if (signalsGroup) groups.add(child);
  try {
    return await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve({ code: code ?? 1, output: text }));
    });
  } finally {
    running.delete(child);
  }
}

let isListening = false;
function listen() {
  if (isListening) return;
  isListening = true;
  for (const signal of Object.keys(signals)) process.on(signal, () => interrupt(signal));
  process.on("exit", () => {
    for (const child of running) kill(child);
  });
}

function interrupt(signal) {
  // npm passes on the signal that the terminal has sent already: the second within a moment is the same Ctrl-C.
  const now = Date.now();
  if (interruptedBy !== undefined) {
    if (now - interrupt.at > 500) for (const child of running) kill(child);
    return;
  }
  interruptedBy = signal;
  interrupt.at = now;
  for (const child of running) {
    if (groups.has(child) && process.platform !== "win32") kill(child, signal);
    else child.kill(signal);
    setTimeout(() => kill(child), graceMs).unref();
  }
}

function kill(child, signal = "SIGKILL") {
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended already.
  }
}
