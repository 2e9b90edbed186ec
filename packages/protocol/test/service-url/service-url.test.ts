import { describe, expect, it } from "vitest";
import { formatServiceUrl, parseServiceUrl } from "../../src/service-url/service-url.ts";

describe("parseServiceUrl", () => {
  it.each([
    ["pulsar://h", "pulsar://h:6650", false],
    ["pulsar+ssl://h", "pulsar+ssl://h:6651", true],
    ["http://h", "http://h:8080", false],
    ["https://h", "https://h:8443", true],
    ["PULSAR://Host_1.example:7000/", "pulsar://Host_1.example:7000", false],
    ["pulsar://h1:1,h2,h3:65535", "pulsar://h1:1,h2:6650,h3:65535", false],
    ["pulsar://h1; h2:2", "pulsar://h1:6650,h2:2", false],
    ["pulsar://[::1]:7,[fe80::1%eth0],127.0.0.1", "pulsar://[::1]:7,[fe80::1%eth0]:6650,127.0.0.1:6650", false],
  ])("reads %s as %s", (text, full, usesTls) => {
    const url = parseServiceUrl(text);
    expect(formatServiceUrl(url)).toBe(full);
    expect(url.usesTls).toBe(usesTls);
    expect(parseServiceUrl(full)).toEqual(url);
  });

  it("gives hosts without brackets", () => {
    expect(parseServiceUrl("pulsar://[::1]").hosts).toEqual([{ host: "::1", port: 6650 }]);
  });

  it.each([
    "",
    "localhost:6650",
    "pulsar:/h",
    "pulsar://",
    "pulsar://,",
    "pulsar://h,",
    "pulsar://h:",
    "pulsar://h:0",
    "pulsar://h:65536",
    "pulsar://h:1e3",
    "pulsar://h:-1",
    "pulsar://:6650",
    "pulsar://::1",
    "pulsar://[::1",
    "pulsar://[h]:1",
    "pulsar://h/path",
    "pulsar://h?x=1",
    "pulsar://user@h",
    "pulsar://h h",
    "ws://h",
    "toString://h",
    "pulsar://h1,pulsar://h2",
  ])("refuses %j", (text) => {
    expect(() => parseServiceUrl(text)).toThrow(
      expect.objectContaining({ name: "ProtocolError", code: "INVALID_SERVICE_URL" }),
    );
  });

  it("does not repeat a password in its refusal", () => {
    expect(() => parseServiceUrl("pulsar://user:secret@host:6650")).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("secret") }),
    );
  });
});
