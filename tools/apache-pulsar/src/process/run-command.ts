import { spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import type { Deadline } from "../deadline.ts";

/** What a finished command left. */
export interface CommandResult {
  /** Exit code, or null where a signal ended it. */
  readonly code: number | null;
  /** Standard output and standard error together, in the order in which they came. */
  readonly output: string;
}

/**
 * Runs a command to its end and gives back its output; `onLine` sees each line as it comes.
 * Rejects where it cannot be started (as `spawn` does) and where the deadline passes (the command is killed).
 */
export async function runCommand(
  file: string,
  args: readonly string[],
  deadline: Deadline,
  onLine?: (line: string) => void,
): Promise<CommandResult> {
  deadline.check();
  // Windows starts mvn.cmd only through a shell.
  const shell = process.platform === "win32" && file.endsWith(".cmd");
  const child = spawn(file, [...args], { stdio: ["ignore", "pipe", "pipe"], shell });
  const onAbort = (): void => {
    child.kill("SIGKILL");
  };
  deadline.signal.addEventListener("abort", onAbort);
  let output = "";
  let rest = "";
  const decoder = new StringDecoder("utf8");
  const onData = (chunk: Buffer): void => {
    const text = decoder.write(chunk);
    output += text;
    if (onLine === undefined) return;
    const lines = (rest + text).split(/\r?\n/u);
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  };
  child.stdout.on("data", onData);
  child.stderr.on("data", onData);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    deadline.check();
    return { code, output };
  } finally {
    deadline.signal.removeEventListener("abort", onAbort);
  }
}
