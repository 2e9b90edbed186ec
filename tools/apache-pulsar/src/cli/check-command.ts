import { cacheFolder, pulsarVersion } from "../distribution/cache-folder.ts";
import { checkRequirements, type Requirement } from "../requirements/check-requirements.ts";

/** Prints what a start needs and what is there; gives back 0 where nothing is missing, else 1. */
export async function printCheck(): Promise<number> {
  const found = await checkRequirements();
  const say = (name: string, requirement: Requirement): string =>
    requirement.kind === "found" ? `${name} ${requirement.version}` : `${name}: MISSING. ${requirement.reason}`;
  const lines = [
    say("Java", found.java),
    `${say("Maven", found.maven)}${found.isResolved ? " (not needed any more)" : ""}`,
    found.isResolved
      ? `Apache Pulsar ${pulsarVersion}: resolved, see ${cacheFolder()}`
      : `Apache Pulsar ${pulsarVersion}: not resolved yet; the first start downloads about 317 jars (235 MB)`,
    found.ok ? "A broker can be started here." : "No broker can be started here.",
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  return found.ok ? 0 : 1;
}
