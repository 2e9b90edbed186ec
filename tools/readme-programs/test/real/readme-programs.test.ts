import { spawn } from "node:child_process";
import { once } from "node:events";
import { acquireShared, checkRequirements, type SharedPulsar } from "@pulsewire/apache-pulsar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compiledFile, compilePrograms } from "../../src/compile-programs.ts";
import { findPrograms } from "../../src/find-programs.ts";

const endsWithinMs = 60_000;

const programs = findPrograms();
const complaints = compilePrograms(programs);

it("finds programs in the READMEs of the root and of the client", () => {
  const readmes = programs.map(({ readme }) => readme);
  expect(readmes).toContain("README.md");
  expect(readmes).toContain("packages/client/README.md");
});

it.each(programs)("$readme, line $line, compiles: $title", ({ name }) => {
  expect(complaints.get(name)).toBeUndefined();
});

const isExternal = Boolean(process.env["PULSAR_SERVICE_URL"]);
const isStrict = !["", "0"].includes(process.env["PULSEWIRE_STRICT"] ?? "");
const { ok, problems } = await checkRequirements();
const reason = ok || isExternal || isStrict ? undefined : problems.join("; ");

describe.skipIf(reason !== undefined)(`on a real broker${reason === undefined ? "" : ` (skipped: ${reason})`}`, () => {
  let pulsar: SharedPulsar;

  beforeAll(async () => {
    pulsar = await acquireShared();
  });

  afterAll(async () => {
    await pulsar.close();
  });

  it.each(programs)("$readme, line $line, runs and ends by itself: $title", async (program) => {
    const env = { ...process.env, PULSAR_SERVICE_URL: pulsar.serviceUrl, PULSAR_ADMIN_URL: pulsar.adminUrl };
    const child = spawn(process.execPath, [compiledFile(program)], { env, timeout: endsWithinMs });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    await once(child, "close");
    expect({ code: child.exitCode, endedBy: child.signalCode, output }).toMatchObject({ code: 0, endedBy: null });
  });
});
