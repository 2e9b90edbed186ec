import { spawnSync } from "node:child_process";

/** How a program ended, and all it printed. */
export interface ProgramResult {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program to its end, with none of the settings that this test run was started with. */
export function runProgram(file: string, args: readonly string[], cwd: string): ProgramResult {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(VITEST|NODE_ENV|NODE_OPTIONS|NODE_PATH|TEST$|npm_package_|npm_lifecycle_)/u.test(name),
    ),
  );
  const { status, stdout, stderr, error } = spawnSync(file, args, { cwd, env, encoding: "utf8" });
  return { code: status, output: error === undefined ? `${stdout}${stderr}` : String(error) };
}

/** Runs a program that must end well; returns what it printed. */
export function runOrThrow(file: string, args: readonly string[], cwd: string): string {
  const { code, output } = runProgram(file, args, cwd);
  if (code !== 0) throw new Error(`${file} ${args.join(" ")} ended with code ${code}:\n${output}`);
  return output;
}
