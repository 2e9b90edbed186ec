import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inject } from "vitest";

/** Makes a folder beside the installed packages, from which they resolve, with the given files in it. */
export function createOutsideFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(inject("outside"), "case-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
