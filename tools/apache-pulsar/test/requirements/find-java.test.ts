import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Deadline } from "../../src/deadline.ts";
import { findJava, majorJavaVersion, parseJavaVersion } from "../../src/requirements/find-java.ts";

describe("the version of Java", () => {
  it.each([
    ['openjdk version "17.0.15" 2025-04-15', "17.0.15", 17],
    ['java version "1.8.0_402"', "1.8.0_402", 8],
    ['openjdk version "21" 2023-09-19', "21", 21],
    ['openjdk version "23-ea" 2024-09-17', "23-ea", 23],
    ['Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version "11.0.2"', "11.0.2", 11],
  ])("is read from %j", (output, version, major) => {
    expect(parseJavaVersion(output)).toBe(version);
    expect(majorJavaVersion(version)).toBe(major);
  });

  it("is unknown where the output names none", () => {
    expect(parseJavaVersion("command not found")).toBeUndefined();
  });
});

describe.skipIf(process.platform === "win32")("findJava", () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), "java-home-"));
    await mkdir(join(home, "bin"));
  });
  afterEach(async () => await rm(home, { recursive: true, force: true }));

  const javaSays = async (text: string): Promise<void> => {
    const file = join(home, "bin", "java");
    await writeFile(file, `#!/bin/sh\necho '${text}' >&2\n`);
    await chmod(file, 0o755);
  };
  const find = async (): Promise<unknown> =>
    await findJava(new Deadline("the test", {}, 10_000), { JAVA_HOME: home }).catch((error: unknown) => error);

  it("takes the Java of JAVA_HOME", async () => {
    await javaSays('openjdk version "17.0.1" 2021-10-19');
    expect(await find()).toMatchObject({ file: join(home, "bin", "java"), version: "17.0.1" });
  });

  it("refuses a Java that is too old and names its version and place", async () => {
    await javaSays('java version "1.8.0_402"');
    expect(await find()).toMatchObject({ code: "REQUIREMENT_MISSING" });
    expect(String(await find())).toContain("1.8.0_402");
    expect(String(await find())).toContain(home);
  });

  it("says that JAVA_HOME holds no Java", async () => {
    expect(await find()).toMatchObject({ code: "REQUIREMENT_MISSING" });
    expect(String(await find())).toContain("(from JAVA_HOME) cannot be run");
  });

  it("shows what a Java without a version said", async () => {
    await javaSays("this is no Java");
    expect(String(await find())).toContain("this is no Java");
  });
});
