import { describe, expect, it } from "vitest";
import { isAtLeast, parseMavenVersion } from "../../src/requirements/find-maven.ts";

describe("the version of Maven", () => {
  it("is read through colour codes", () => {
    expect(parseMavenVersion("\u001b[1mApache Maven 3.8.7\u001b[m\nMaven home: /usr/share/maven")).toBe("3.8.7");
    expect(parseMavenVersion("Apache Maven 4.0.0-rc-3 (abc)")).toBe("4.0.0");
    expect(parseMavenVersion("not found")).toBeUndefined();
  });

  it.each([
    ["3.6.3", "3.6.3", true],
    ["3.10.0", "3.6.3", true],
    ["4", "3.6.3", true],
    ["3.6.2", "3.6.3", false],
    ["3.5.9", "3.6.3", false],
    ["2.2.1", "3.6.3", false],
  ])("%s against %s", (version, minimum, expected) => {
    expect(isAtLeast(version, minimum)).toBe(expected);
  });
});
