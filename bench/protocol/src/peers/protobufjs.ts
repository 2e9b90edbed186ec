import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";

/** One message type of the protobufjs static code, plain as its command line tool writes it. */
export interface StaticCodec {
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
}

type StaticTarget = (
  root: protobuf.Root,
  options: Record<string, unknown>,
  done: (error: Error | null, code: string) => void,
) => void;

const require = createRequire(import.meta.url);
const here = dirname(fileURLToPath(import.meta.url));

/** The definitions of the protocol. */
export async function loadDefinitions(): Promise<protobuf.Root> {
  const text = await readFile(join(here, "../../../../proto/PulsarApi.proto"), "utf8");
  const { root } = protobuf.parse(text, new protobuf.Root());
  root.resolveAll();
  return root;
}

/** Generates the static code with 64-bit values as Long and loads it. */
export async function loadStaticCode(root: protobuf.Root): Promise<Record<string, StaticCodec>> {
  const generate = require("protobufjs-cli/targets/static-module") as StaticTarget;
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
    "force-long": true,
    root: "bench",
    wrap: "commonjs",
  };
  const code = await new Promise<string>((resolve, reject) => {
    generate(root, options, (error, generated) =>
      error === null || error === undefined ? resolve(generated) : reject(error),
    );
  });
  // Inside the package, so that the generated code finds protobufjs.
  const folder = await mkdtemp(join(here, "../../node_modules/.static-"));
  try {
    const file = join(folder, "pulsar-api.cjs");
    await writeFile(file, code);
    const generated = require(file) as { pulsar: { proto: Record<string, StaticCodec> } };
    return generated.pulsar.proto;
  } finally {
    await rm(folder, { recursive: true });
  }
}
