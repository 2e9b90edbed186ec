import { isLauncherError } from "@pulsewire/apache-pulsar";
import { PulsarError } from "@pulsewire/client";
import { RequirementError } from "./broker.ts";
import { readOptions, UsageError, usage } from "./options.ts";
import { run, type Summary } from "./run.ts";

const say = (line: string): void => console.log(line);
const interruption = new AbortController();
let signalCode: number | undefined;

for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const) {
  process.on(signal, () => {
    // A second one does not wait for an orderly end.
    if (signalCode !== undefined) process.exit(code);
    signalCode = code;
    interruption.abort();
  });
}

// Set rather than exited with: the process ends by itself once everything is closed.
process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const options = readOptions(process.argv.slice(2));
    if (options === undefined) {
      say(usage);
      return 0;
    }
    return report(await run(options, interruption.signal, say));
  } catch (error) {
    if (signalCode !== undefined) {
      say("stopped");
      return signalCode;
    }
    console.error(explain(error));
    return 1;
  }
}

function report({ published, consumed, replayed, alerts, alertsInHistory }: Summary): number {
  say(`published ${published}, consumed ${consumed}, alerts ${alerts}, replayed ${replayed}`);
  if (published === consumed && published === replayed && alerts === alertsInHistory) {
    say("all agree");
    return 0;
  }
  console.error(`the counts do not agree (alerts in the replay: ${alertsInHistory})`);
  return 1;
}

/** One sentence for what a user can put right, everything for what is a bug. */
function explain(error: unknown): string {
  if (error instanceof UsageError || error instanceof RequirementError) return error.message;
  if (isLauncherError(error)) return error.message;
  if (PulsarError.isPulsarError(error)) return `${error.code}: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
