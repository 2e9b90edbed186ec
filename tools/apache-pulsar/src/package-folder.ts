import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this package, the same whether the code runs from `src` or from `dist`. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "pom.xml"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`pom.xml of @pulsewire/apache-pulsar not found above ${import.meta.url}`);
    folder = parent;
  }
  return folder;
}
