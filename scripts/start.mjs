// `npm start`: the quickstart, from a clone with nothing but Node and npm. Arguments go to it: npm start -- --seconds 5
import "./check-node.mjs";
import { join } from "node:path";
import { CommandError } from "./command-error.mjs";
import { repository } from "./pnpm.mjs";
import { say, withProgress } from "./progress.mjs";
import { interruptedCode, runCommand } from "./run-command.mjs";
import { prepareWorkspace, throwIfInterrupted, turbo } from "./workspace.mjs";

const quickstart = join(repository, "apps", "quickstart", "dist", "esm", "main.js");

try {
  const env = await prepareWorkspace();
  const [file, ...args] = turbo("build", "--filter=@pulsewire/quickstart", "--output-logs=errors-only");
  const build = await withProgress("building", () =>
    runCommand(file, args, { cwd: repository, env, output: "capture" }),
  );
  throwIfInterrupted();
  if (build.code !== 0) throw new CommandError(`the build failed:\n${build.output}`);
  const options = { cwd: repository, env, output: "inherit" };
  const { code } = await runCommand(process.execPath, [quickstart, ...process.argv.slice(2)], options);
  process.exitCode = code;
} catch (error) {
  process.exitCode = interruptedCode() ?? 1;
  if (interruptedCode() === undefined)
    say(error instanceof CommandError ? error.message : String(error?.stack ?? error));
}
