import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { featureSettings } from "../../src/broker-config/broker-settings.ts";
import { pulsarVersion } from "../../src/distribution/cache-folder.ts";
import { packageFolder } from "../../src/package-folder.ts";

it("gives the official image the launcher's version, settings and default ports", async () => {
  const compose = await readFile(join(packageFolder(), "compose.yaml"), "utf8");
  const given = Object.fromEntries(
    [...compose.matchAll(/PULSAR_PREFIX_(\w+): "([^"]*)"/gu)].map(([, name, value]) => [name, value]),
  );
  const { bindAddress: _inTheContainerItMustBeAll, ...shared } = featureSettings;
  const wanted = Object.fromEntries(Object.entries(shared).map(([name, value]) => [name, String(value)]));
  expect(given).toMatchObject(wanted);
  expect(compose).toContain(`image: apachepulsar/pulsar:${pulsarVersion}\n`);
  expect(compose).toContain('- "6650:6650"\n      - "8080:8080"');
});
