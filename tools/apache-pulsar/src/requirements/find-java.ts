import { join } from "node:path";
import type { Deadline } from "../deadline.ts";
import { LauncherError } from "../errors.ts";
import { type CommandResult, runCommand } from "../process/run-command.ts";

/** Apache Pulsar 4.0 needs this version of Java or a newer one. */
const minimumJavaVersion = 17;

/** A Java that can run the broker. */
export interface Java {
  /** The executable: a path where `JAVA_HOME` is set, else `java` of the search path. */
  readonly file: string;
  /** E.g. `17.0.15`. */
  readonly version: string;
  /** The whole answer to `java -version`, which tells two builds of one version apart. */
  readonly build: string;
}

/** The version in the answer to `java -version`, e.g. `17.0.15` or `1.8.0_402`; undefined where there is none. */
export function parseJavaVersion(output: string): string | undefined {
  return /version "([^"]+)"/u.exec(output)?.[1];
}

/** The major version: 17 for `17.0.15`, 8 for `1.8.0_402`. */
export function majorJavaVersion(version: string): number {
  const [first, second] = version.split(/[._-]/u).map(Number);
  return (first === 1 ? second : first) ?? 0;
}

/** Finds Java by `JAVA_HOME`, else on the search path. Throws `REQUIREMENT_MISSING` naming what was found instead. */
export async function findJava(deadline: Deadline, env: NodeJS.ProcessEnv = process.env): Promise<Java> {
  const home = env["JAVA_HOME"];
  const fromHome = home !== undefined && home !== "";
  const file = fromHome ? join(home, "bin", process.platform === "win32" ? "java.exe" : "java") : "java";
  const where = fromHome ? `${file} (from JAVA_HOME)` : "java on the search path";
  let result: CommandResult;
  try {
    result = await runCommand(file, ["-version"], deadline);
  } catch (cause) {
    deadline.check();
    throw new LauncherError(
      "REQUIREMENT_MISSING",
      `Java ${minimumJavaVersion} or newer is needed, but ${where} cannot be run. ` +
        "Install a JDK or JRE, or set JAVA_HOME to one.",
      { cause },
    );
  }
  const version = parseJavaVersion(result.output);
  if (result.code !== 0 || version === undefined) {
    throw new LauncherError(
      "REQUIREMENT_MISSING",
      `Java ${minimumJavaVersion} or newer is needed, but ${where} does not tell its version. It said: ${result.output.trim()}`,
    );
  }
  if (majorJavaVersion(version) < minimumJavaVersion) {
    throw new LauncherError(
      "REQUIREMENT_MISSING",
      `Java ${minimumJavaVersion} or newer is needed, but ${where} is ${version}. Set JAVA_HOME to a newer one.`,
    );
  }
  return { file, version, build: result.output.trim() };
}
