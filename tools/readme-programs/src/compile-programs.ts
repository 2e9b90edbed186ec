import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FoundProgram, packageFolder } from "./find-programs.ts";

const workFolder = join(packageFolder, ".pulsewire");

/** The compiled form of a program. */
export function compiledFile({ name }: FoundProgram): string {
  return join(workFolder, "compiled", `${name}.js`);
}

/** Checks and compiles all programs at once; returns what the compiler complains about, by the name of the program. */
export function compilePrograms(programs: readonly FoundProgram[]): ReadonlyMap<string, string> {
  rmSync(workFolder, { recursive: true, force: true });
  mkdirSync(join(workFolder, "programs"), { recursive: true });
  for (const { name, language, source } of programs) {
    writeFileSync(join(workFolder, "programs", `${name}.${language}`), source);
  }
  const tsc = join(packageFolder, "node_modules", "typescript", "bin", "tsc");
  const options = { cwd: packageFolder, encoding: "utf8" } as const;
  const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", "tsconfig.programs.json"], options);
  const complaints = new Map<string, string>();
  if (status === 0) return complaints;
  for (const line of stdout.split("\n")) {
    const name = /^\.pulsewire\/programs\/([^.]+)\./u.exec(line.replaceAll("\\", "/"))?.[1];
    if (name !== undefined) complaints.set(name, `${complaints.get(name) ?? ""}${line}\n`);
  }
  if (complaints.size === 0) throw new Error(`the programs could not be compiled:\n${stdout}`);
  return complaints;
}
