// What `npm test` runs, in this order. A step of kind `check` counts as one; one of kind `tests` counts its tests.
import { turbo } from "./workspace.mjs";

/**
 * @typedef {object} TestStep
 * @property {string} name for `--only`
 * @property {string} title
 * @property {"check" | "tests"} kind
 * @property {readonly (readonly string[])[]} commands run one after the other
 * @property {string} [task] the turbo task whose reports are counted
 */

const goOn = "--continue=dependencies-successful";
const quiet = ["--output-logs=errors-only", goOn];
const loud = ["--output-logs=new-only", "--log-order=stream", goOn];

/** @type {readonly TestStep[]} */
export const steps = [
  { name: "build", title: "build", kind: "check", commands: [turbo("build", ...quiet)] },
  { name: "typecheck", title: "typecheck", kind: "check", commands: [turbo("typecheck", ...quiet)] },
  { name: "lint", title: "format and lint", kind: "check", commands: [turbo("lint", ...quiet)] },
  { name: "unused", title: "unused code", kind: "check", commands: [turbo("lint:unused", ...quiet)] },
  { name: "packages", title: "package checks", kind: "check", commands: [turbo("check:package", ...quiet)] },
  tests("outside", "packages installed outside the workspace", "test:outside"),
  tests("unit", "unit tests", "test"),
  tests("conformance", "README programs, samples and conformance", "test:conformance", "--concurrency=1"),
];

function tests(name, title, task, ...more) {
  return { name, title, kind: "tests", task, commands: [turbo(task, ...loud, ...more)] };
}
