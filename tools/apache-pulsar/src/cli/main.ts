import { parseArgs } from "node:util";
import { isLauncherError } from "../errors.ts";
import { prepare } from "../prepare.ts";
import { printCheck } from "./check-command.ts";
import { helpText } from "./help-text.ts";
import { runUp } from "./up-command.ts";
import { parseUpOptions, upFlags } from "./up-options.ts";

/** Runs one command line; gives back the exit code of the process. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: upFlags, allowPositionals: true });
    const [command, ...rest] = positionals;
    if (values.help === true || command === undefined || command === "help") {
      process.stdout.write(helpText);
      return command === undefined && values.help !== true ? 2 : 0;
    }
    if (rest.length > 0) return misuse(`"${rest.join(" ")}" was not expected after "${command}"`);
    switch (command) {
      case "up":
        return await runUp(parseUpOptions(values));
      case "check":
        return await printCheck();
      case "prepare":
        await prepare();
        process.stdout.write("Apache Pulsar is ready to be started.\n");
        return 0;
      default:
        return misuse(`there is no command "${command}"`);
    }
  } catch (error) {
    if (isLauncherError(error)) {
      process.stderr.write(`${error.code}: ${error.message}\n`);
      return error.code === "INVALID_OPTION" ? 2 : 1;
    }
    if (error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS")) {
      return misuse(error.message);
    }
    throw error;
  }
}

function misuse(message: string): number {
  process.stderr.write(`${message}\n\n${helpText}`);
  return 2;
}
