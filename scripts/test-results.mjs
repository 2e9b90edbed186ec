// Counts of the test runs: each package's script writes a report in JSON, which turbo's cache keeps and brings back.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { repository } from "./pnpm.mjs";
import { workspacePackages } from "./workspace.mjs";

/**
 * @typedef {object} TestCounts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {readonly string[]} failures names of failed tests and files
 * @property {readonly string[]} skips names of skipped tests, with the reason where the name tells it
 */

/** The packages with a script for a task, and where each writes its report. */
function reportsOf(task) {
  return workspacePackages().flatMap(({ folder, name, scripts }) => {
    const script = scripts[task];
    if (script === undefined) return [];
    const file = /--outputFile=(\S+)/.exec(script)?.[1];
    return [{ name, file: file === undefined ? undefined : join(folder, file) }];
  });
}

/** Removes the reports of earlier runs: what is there afterwards was written, or brought back by the cache, in this one. */
export function clearReports(task) {
  for (const { file } of reportsOf(task)) if (file !== undefined) rmSync(file, { force: true });
}

/** Adds up the reports of a task. A package without one counts as a failure. @returns {TestCounts} */
export function readReports(task) {
  const total = { passed: 0, failed: 0, skipped: 0, failures: [], skips: [] };
  for (const { name, file } of reportsOf(task)) {
    if (file === undefined || !existsSync(file)) {
      const reason =
        file === undefined ? `its script "${task}" names no --outputFile` : "no result, it did not run to its end";
      total.failed += 1;
      total.failures.push(`${name}: ${reason}`);
      continue;
    }
    addReport(total, name, JSON.parse(readFileSync(file, "utf8")));
  }
  return total;
}

function addReport(total, name, report) {
  total.passed += report.numPassedTests;
  total.skipped += report.numPendingTests + report.numTodoTests;
  total.failed += report.numFailedTests;
  for (const { name: path, status, message, assertionResults } of report.testResults) {
    const where = `${name} ${relative(repository, path)}`;
    const failed = assertionResults.filter((test) => test.status === "failed");
    for (const test of failed) total.failures.push(`${where}: ${test.fullName.trim()}`);
    for (const test of assertionResults) {
      if (test.status !== "passed" && test.status !== "failed") total.skips.push(`${where}: ${test.fullName.trim()}`);
    }
    if (status !== "failed" || failed.length > 0) continue;
    // The file itself failed, e.g. while it was loaded: none of its tests says so.
    total.failed += 1;
    total.failures.push(`${where}: ${message.split("\n")[0]}`);
  }
}
