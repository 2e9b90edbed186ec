#!/usr/bin/env node
// Runs the command line from its sources, so that nothing has to be built first.
import { register } from "tsx/esm/api";

register();
const { main } = await import("../src/cli/main.ts");
process.exitCode = await main(process.argv.slice(2));
