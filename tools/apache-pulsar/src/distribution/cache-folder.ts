import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { packageFolder } from "../package-folder.ts";

/** The version of Apache Pulsar that is started. */
export const pulsarVersion = "4.0.7";

/** Where resolved class paths are kept: `$PULSEWIRE_CACHE`, else `~/.cache/pulsewire`. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const given = env["PULSEWIRE_CACHE"];
  return given === undefined || given === "" ? join(homedir(), ".cache", "pulsewire") : given;
}

/** The pom that names the broker's artifacts. */
export function pomFile(): string {
  return join(packageFolder(), "pom.xml");
}

/** The folder in the cache for this version and this pom; another pom gets another folder. */
export async function distributionFolder(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const hash = createHash("sha256")
    .update(await readFile(pomFile()))
    .digest("hex")
    .slice(0, 12);
  return join(cacheFolder(env), `apache-pulsar-${pulsarVersion}-${hash}`);
}
