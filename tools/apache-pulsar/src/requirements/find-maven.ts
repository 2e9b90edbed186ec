import type { Deadline } from "../deadline.ts";
import { LauncherError } from "../errors.ts";
import { type CommandResult, runCommand } from "../process/run-command.ts";

/** The oldest Maven that resolves the broker's artifacts. */
const minimumMavenVersion = "3.6.3";

/** A Maven that can resolve the broker's artifacts. */
export interface Maven {
  readonly file: string;
  /** E.g. `3.8.7`. */
  readonly version: string;
}

/** The version in the answer to `mvn -version`; undefined where there is none. Colour codes do not matter. */
export function parseMavenVersion(output: string): string | undefined {
  return /Apache Maven (\d+(?:\.\d+)*)/u.exec(output)?.[1];
}

/** True where `version` is `minimum` or newer, both as numbers parted by dots. */
export function isAtLeast(version: string, minimum: string): boolean {
  const given = version.split(".").map(Number);
  for (const [index, wanted] of minimum.split(".").map(Number).entries()) {
    const part = given[index] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}

/** Finds Maven on the search path. Throws `REQUIREMENT_MISSING` naming what was found instead. */
export async function findMaven(deadline: Deadline): Promise<Maven> {
  const file = process.platform === "win32" ? "mvn.cmd" : "mvn";
  let result: CommandResult;
  try {
    result = await runCommand(file, ["-version"], deadline);
  } catch (cause) {
    deadline.check();
    throw new LauncherError(
      "REQUIREMENT_MISSING",
      `Maven ${minimumMavenVersion} or newer is needed to fetch Apache Pulsar once, but mvn on the search path cannot be run. Install Maven.`,
      { cause },
    );
  }
  const version = parseMavenVersion(result.output);
  if (result.code !== 0 || version === undefined) {
    throw new LauncherError(
      "REQUIREMENT_MISSING",
      `Maven ${minimumMavenVersion} or newer is needed, but mvn on the search path does not tell its version. It said: ${result.output.trim()}`,
    );
  }
  if (!isAtLeast(version, minimumMavenVersion)) {
    throw new LauncherError(
      "REQUIREMENT_MISSING",
      `Maven ${minimumMavenVersion} or newer is needed, but mvn on the search path is ${version}.`,
    );
  }
  return { file, version };
}
