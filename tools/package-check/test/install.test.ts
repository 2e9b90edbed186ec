import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly license?: string;
}

interface InstalledFiles {
  readonly manifests: readonly Manifest[];
  readonly files: readonly string[];
}

/** Everything that npm put into the folder, nested packages included. */
function installed(): InstalledFiles {
  const root = join(inject("outside"), "node_modules");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" });
  const isManifest = (file: string): boolean =>
    /(^|node_modules\/)(@[^/]+\/)?[^/]+\/package\.json$/u.test(file.replaceAll("\\", "/"));
  const manifests = files
    .filter(isManifest)
    .map((file) => JSON.parse(readFileSync(join(root, file), "utf8")) as Manifest)
    .filter((manifest) => manifest.name !== undefined && manifest.version !== undefined);
  return { manifests, files };
}

it("brings both packages and their dependencies", () => {
  const names = installed().manifests.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["@pulsewire/client", "@pulsewire/protocol", "protobufjs"]));
});

it("runs nothing at installation, in no package of the whole tree", () => {
  const hooks = ["preinstall", "install", "postinstall"];
  const withHooks = installed().manifests.filter(({ scripts }) => hooks.some((hook) => scripts?.[hook] !== undefined));
  expect(withHooks.map(({ name }) => name)).toEqual([]);
});

it("brings nothing that would be compiled and no native binary", () => {
  const { files } = installed();
  expect(files.filter((file) => /(\.node|binding\.gyp)$/u.test(file))).toEqual([]);
});

it.each(["protocol", "client"])(
  "packs %s without sources, tests or build state, with its licence and README",
  (name) => {
    const files = readdirSync(join(inject("outside"), "node_modules", "@pulsewire", name), { encoding: "utf8" });
    expect(files.sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
  },
);
