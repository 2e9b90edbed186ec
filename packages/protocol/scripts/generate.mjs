// Generates src/gen from proto/: the protobufjs static codec (ES module and CommonJS) and the TypeScript
// declarations of every message and enum. Nothing it writes is committed or edited by hand.
//
// Two things differ from what the command line tool would write, both because of how brokers evolve and how big
// Pulsar's ids are:
//  - enums are open: a number that a newer broker sends stays a number, instead of making the field look absent;
//  - an unset optional field reads as undefined unless the definition names a default, and no default is a Long:
//    64-bit values go through the reader and writer of src/command/wire.ts, which know only Int64.
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { declarations } from "./declarations.mjs";

const require = createRequire(import.meta.url);
const { Root, Enum } = require("protobufjs");
const staticTarget = require("protobufjs-cli/targets/static-module");

const here = dirname(fileURLToPath(import.meta.url));
const protoFolder = join(here, "../../../proto");
const output = join(here, "../src/gen");

const root = new Root();
root.loadSync(
  ["PulsarApi.proto", "PulsarMarkers.proto"].map((file) => join(protoFolder, file)),
  { alternateCommentMode: true },
);
forEachEnum(root, (type) => type.setOption("features", { enum_type: "OPEN" }));
root.resolveAll();

const options = {
  create: false,
  encode: true,
  decode: true,
  verify: false,
  convert: false,
  delimited: false,
  typeurl: false,
  beautify: false,
  comments: false,
  service: false,
  es6: true,
  "force-long": true,
  root: "pulsewire",
};

mkdirSync(join(output, "cjs"), { recursive: true });
write("pulsar-api.js", adapt(await generate("esm")));
write("cjs/pulsar-api.js", adapt(await generate("commonjs")));
write("pulsar-api.d.ts", declarations(root));

function generate(wrap) {
  return new Promise((resolve, reject) => {
    staticTarget(root, { ...options, wrap }, (error, code) => (error ? reject(error) : resolve(code)));
  });
}

/** Drops the prototype defaults that the definitions do not name and makes the named 64-bit ones plain numbers. */
function adapt(code) {
  const named = new Map();
  forEachType(root, (type) => {
    for (const field of type.fieldsArray) {
      if (field.options?.default !== undefined) named.set(`${type.name}.${field.name}`, field);
    }
  });
  const adapted = code.replace(/^ *(\w+)\.prototype\.(\w+) = (.*);\n/gm, (line, type, field, value) => {
    if (value === "$util.emptyArray") return line;
    if (!named.has(`${type}.${field}`)) return "";
    return line.replace(/\$util\.Long \? \$util\.Long\.fromBits\([^)]*\) : (-?\d+)/, "$1");
  });
  if (adapted.includes("$util.Long")) throw new Error("a 64-bit default was not rewritten");
  if (/\.proto\.\w+\[value\] !== \$undefined/.test(adapted)) throw new Error("an enum is still closed");
  return adapted;
}

function forEachEnum(namespace, visit) {
  for (const nested of namespace.nestedArray) {
    if (nested instanceof Enum) visit(nested);
    else if (nested.nestedArray) forEachEnum(nested, visit);
  }
}

function forEachType(namespace, visit) {
  for (const nested of namespace.nestedArray) {
    if (nested.fieldsArray) visit(nested);
    if (nested.nestedArray) forEachType(nested, visit);
  }
}

function write(file, text) {
  writeFileSync(join(output, file), text);
}
