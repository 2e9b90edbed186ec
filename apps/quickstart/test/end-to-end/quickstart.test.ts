import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { acquireShared, checkRequirements, type SharedPulsar } from "@pulsewire/apache-pulsar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const main = fileURLToPath(new URL("../../dist/esm/main.js", import.meta.url));

interface Run {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the app; it gets one Ctrl-C when it has printed `interruptAt`. */
async function runQuickstart(args: readonly string[], env: NodeJS.ProcessEnv, interruptAt?: string): Promise<Run> {
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, ...env } });
  let output = "";
  let isInterrupted = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (isInterrupted || interruptAt === undefined || !output.includes(interruptAt)) return;
      isInterrupted = child.kill("SIGINT");
    });
  }
  await once(child, "close");
  return { code: child.exitCode, output };
}

it("says what is missing and ends with code 1 where there is neither a broker nor Java", async () => {
  const env = { PULSAR_SERVICE_URL: "", JAVA_HOME: "/nowhere" };
  const { code, output } = await runQuickstart([], env);
  expect(output).toContain("Apache Pulsar cannot be started");
  expect(output).toContain("Java 17 or newer is needed");
  expect(output).toContain("set PULSAR_SERVICE_URL");
  expect(code).toBe(1);
});

const isExternal = Boolean(process.env["PULSAR_SERVICE_URL"]);
const { ok, problems } = await checkRequirements();
const isStrict = !["", "0"].includes(process.env["PULSEWIRE_STRICT"] ?? "");
const reason = ok || isExternal || isStrict ? undefined : problems.join("; ");

describe.skipIf(reason !== undefined)(`on a real broker${reason === undefined ? "" : ` (skipped: ${reason})`}`, () => {
  let pulsar: SharedPulsar;

  beforeAll(async () => {
    pulsar = await acquireShared();
  });

  afterAll(async () => {
    await pulsar.close();
  });

  it("publishes, alerts and replays for 3 seconds, agrees with itself and ends with code 0", async () => {
    const { code, output } = await runQuickstart(["--seconds", "3", "--rate", "5"], {});
    expect(output).toMatch(/^published 15, consumed 15, alerts \d+, replayed 15$/mu);
    expect(output).toContain("all agree");
    expect(output).toContain("CPU busy, %");
    expect(output.match(/^cpu +\d+ % {2}memory/gmu)).toHaveLength(15);
    expect(code).toBe(0);
  });

  it("prints no control codes where the output is no terminal", async () => {
    const { output } = await runQuickstart(["--seconds", "1"], {});
    expect(output).not.toContain(String.fromCharCode(27));
  });

  it("stops at Ctrl-C while it publishes", async () => {
    const { code, output } = await runQuickstart(["--seconds", "600"], {}, "memory");
    expect(output.trimEnd().endsWith("stopped")).toBe(true);
    expect(code).toBe(130);
  });

  it("says where it could not connect and ends with code 1", async () => {
    const { code, output } = await runQuickstart([], { PULSAR_SERVICE_URL: "pulsar+nonsense://x" });
    expect(output).toContain("serviceUrl");
    expect(code).toBe(1);
  });
});
