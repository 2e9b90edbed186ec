/** True where something missing (Java, Maven, a peer client) is a failure and not a reason to skip: in continuous integration. */
export function isStrict(env: NodeJS.ProcessEnv = process.env): boolean {
  const value = env["PULSEWIRE_STRICT"];
  return value !== undefined && value !== "" && value !== "0";
}

/** Prints a line about the run itself, apart from the reporter's. */
export function report(line: string): void {
  process.stderr.write(`conformance: ${line}\n`);
}
