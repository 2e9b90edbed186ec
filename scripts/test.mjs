// `npm test`: everything that must hold, from a clone with nothing but Node and npm. The last line is the count.
//   --only build,typecheck,lint,unused,packages,outside,unit,conformance   some of the steps
//   --strict   something missing (a real broker, another vendor's client) is a failure; same as PULSEWIRE_STRICT=1
import "./check-node.mjs";
import { parseArgs } from "node:util";
import { CommandError } from "./command-error.mjs";
import { repository } from "./pnpm.mjs";
import { formatSeconds, say } from "./progress.mjs";
import { interruptedCode, runCommand } from "./run-command.mjs";
import { clearReports, readReports } from "./test-results.mjs";
import { steps } from "./test-steps.mjs";
import { prepareWorkspace } from "./workspace.mjs";

const shownNames = 30;
const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const skips = [];

try {
  const chosen = readArguments();
  const env = await prepareWorkspace();
  for (const [index, step] of chosen.entries()) {
    if (interruptedCode() !== undefined) break;
    await run(step, `[${index + 1}/${chosen.length}]`, env);
  }
} catch (error) {
  total.failed += 1;
  failures.push(error instanceof CommandError ? error.message : String(error?.stack ?? error));
}
if (interruptedCode() !== undefined) failures.push("interrupted: what did not run is not counted");
report();

function readArguments() {
  const options = { only: { type: "string" }, strict: { type: "boolean" } };
  const { values } = parseArgs({ options, allowPositionals: false });
  if (values.strict) process.env.PULSEWIRE_STRICT = "1";
  if (values.only === undefined) return steps;
  const names = values.only.split(",");
  const unknown = names.find((name) => !steps.some((step) => step.name === name));
  const known = steps.map((step) => step.name).join(", ");
  if (unknown !== undefined) throw new CommandError(`--only knows ${known}; it was given ${unknown}`);
  return steps.filter((step) => names.includes(step.name));
}

async function run(step, label, env) {
  say(`\n${label} ${step.title}`);
  const startedAt = Date.now();
  if (step.kind === "tests") clearReports(step.task);
  const output = step.kind === "tests" ? "inherit" : "capture";
  const results = [];
  for (const [file, ...args] of step.commands) {
    const result = await runCommand(file, args, { cwd: repository, env, output, signalsGroup: true });
    if (result.code !== 0) say(result.output);
    results.push(result);
  }
  if (interruptedCode() !== undefined) return;
  const isGreen = results.every((result) => result.code === 0);
  const counts = step.kind === "tests" ? readReports(step.task) : undefined;
  const added = counts ?? { passed: isGreen ? 1 : 0, failed: isGreen ? 0 : 1, skipped: 0, failures: [], skips: [] };
  // A run can fail beside its tests, e.g. by an error that no test waited for.
  const isOther = !isGreen && added.failures.length === 0;
  total.passed += added.passed;
  total.failed += added.failed + (isOther && counts !== undefined ? 1 : 0);
  total.skipped += added.skipped;
  failures.push(...added.failures, ...(isOther ? [`${step.title}: see its output above`] : []));
  skips.push(...added.skips);
  const outcome = isGreen && added.failed === 0 ? "ok" : "FAILED";
  const tests = counts === undefined ? "" : `, ${countLine(added)}`;
  say(`${label} ${step.title}: ${outcome} in ${formatSeconds(Date.now() - startedAt)}${tests}`);
}

function countLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`;
}

function report() {
  list("Skipped", skips);
  list("Failed", failures);
  process.exitCode = interruptedCode() ?? (total.failed > 0 ? 1 : 0);
  // The two streams may end up in one file: the count must come last there too.
  process.stderr.write("\n", () => process.stdout.write(`${countLine(total)}\n`));
}

function list(title, names) {
  if (names.length === 0) return;
  say(`\n${title}:`);
  for (const name of names.slice(0, shownNames)) say(`  ${name}`);
  if (names.length > shownNames) say(`  and ${names.length - shownNames} more`);
}
