/** A failure that is explained to the user in one sentence, without a stack trace. */
export class CommandError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "CommandError";
  }
}

/**
 * What to tell about a failed download or installation: the known causes by name, and the end of the output.
 * @param {string} what e.g. `pnpm could not be installed`
 * @param {string} output of the command that failed
 */
export function explainInstallFailure(what, output) {
  const tail = output.trim().split("\n").slice(-15).join("\n");
  const reason = knownCauses.find(([pattern]) => pattern.test(output))?.[1];
  return new CommandError(`${what}${reason === undefined ? "" : `: ${reason}`}.\n${tail}`);
}

const knownCauses = [
  [/ENOSPC|no space left/i, "the disk is full"],
  [/EDQUOT|quota exceeded/i, "the disk quota is used up"],
  [/EACCES|EPERM|permission denied|EROFS/i, "a folder cannot be written"],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|error sending request|dns error|network/i,
    "the package registry cannot be reached; check the network, or the proxy and registry settings of npm",
  ],
  [/CERT|certificate/i, "the package registry's certificate is not accepted; check `cafile` in the settings of npm"],
  [/\bE40[13]\b|\b40[13]\b/, "the package registry refuses the request; check the registry settings of npm"],
  [/frozen-lockfile|OUTDATED_LOCKFILE/, "pnpm-lock.yaml does not match the package.json files; run `pnpm install`"],
];
