import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** npm as a script of this Node where it lies beside it: on Windows the command of the search path needs a shell. */
export function npmCommand(): readonly [string, ...string[]] {
  const beside = dirname(process.execPath);
  const scripts = [
    join(beside, "node_modules", "npm", "bin", "npm-cli.js"),
    join(beside, "..", "lib", "node_modules", "npm", "bin", "npm-cli.js"),
  ];
  const script = scripts.find(existsSync);
  return script === undefined ? ["npm"] : [process.execPath, script];
}
