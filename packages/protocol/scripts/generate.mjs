// Generates src/gen from proto/: the protobufjs static codec (ES module and CommonJS) and the TypeScript
// declarations of every message and enum. Nothing it writes is committed or edited by hand.
//
// Two things differ from what the command line tool would write, both because of how brokers evolve and how big
// Pulsar's ids are:
//  - enums are open: a number that a newer broker sends stays a number, instead of making the field look absent;
//  - an unset optional field reads as undefined, whatever default the definition names: presence matters in places.
//    64-bit values go through the reader and writer in src/protobuf, which know only Int64 and never a Long.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { declarations } from "./declarations.mjs";

const require = createRequire(import.meta.url);
const { Root, parse } = require("protobufjs");
const staticTarget = require("protobufjs-cli/targets/static-module");

const here = dirname(fileURLToPath(import.meta.url));
const protoFolder = join(here, "../../../proto");
const output = join(here, "../src/gen");

const root = new Root();
for (const file of ["PulsarApi.proto", "PulsarMarkers.proto"]) {
  const text = readFileSync(join(protoFolder, file), "utf8");
  const open = text.replace(/^( *)enum \w+ \{/gm, "$& option features.enum_type = OPEN;");
  parse(open, root, { alternateCommentMode: true });
}
root.resolveAll();

const options = {
  create: false,
  encode: true,
  decode: true,
  verify: false,
  convert: false,
  delimited: false,
  typeurl: false,
  beautify: true,
  comments: false,
  service: false,
  "force-long": true,
  root: "pulsewire",
};

mkdirSync(join(output, "cjs"), { recursive: true });
write("pulsar-api.js", adapt(await generate("esm")));
write("cjs/pulsar-api.js", adapt(await generate("commonjs")));
write("pulsar-api.d.ts", declarations(root));

function generate(wrap) {
  return new Promise((resolve, reject) => {
    staticTarget(root, { ...options, wrap, es6: wrap === "esm" }, (error, code) =>
      error ? reject(error) : resolve(code),
    );
  });
}

/** Drops the prototype defaults, so that presence can be seen; empty lists stay. */
function adapt(code) {
  const adapted = code
    .replace("/*undefined*/\n", "")
    .replace(/^ *\w+\.prototype\.\w+ = (.*);\n/gm, (line, value) => (value === "$util.emptyArray" ? line : ""));
  if (adapted.includes("$util.Long")) throw new Error("a 64-bit default is left in the generated code");
  if (/\.proto\.[\w.]+\[\w+\] !== \$undefined/.test(adapted)) throw new Error("an enum is still closed");
  return adapted;
}

function write(file, text) {
  writeFileSync(join(output, file), text);
}
