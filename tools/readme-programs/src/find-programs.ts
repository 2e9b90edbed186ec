import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { extractPrograms, type ReadmeProgram } from "./extract-programs.ts";

/** A program and where it stands. */
export interface FoundProgram extends ReadmeProgram {
  /** E.g. `packages/client/README.md`. */
  readonly readme: string;
  /** Name of its file without an ending, e.g. `packages-client-15`. */
  readonly name: string;
}

/** Folder of this package. */
export const packageFolder: string = dirname(dirname(fileURLToPath(import.meta.url)));

/** The programs in the README of the root and of each published package. */
export function findPrograms(): readonly FoundProgram[] {
  const repository = dirname(dirname(packageFolder));
  const packages = readdirSync(join(repository, "packages")).map((name) => join(repository, "packages", name));
  return [repository, ...packages].flatMap((folder) => {
    const file = join(folder, "README.md");
    if (!existsSync(file)) return [];
    const readme = relative(repository, file).replaceAll("\\", "/");
    const prefix = readme === "README.md" ? "root" : dirname(readme).replaceAll("/", "-");
    return extractPrograms(readFileSync(file, "utf8")).map((program) => ({
      ...program,
      readme,
      name: `${prefix}-${program.line}`,
    }));
  });
}
