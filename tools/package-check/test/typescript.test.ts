import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createOutsideFolder } from "../src/outside-folder.ts";
import { runProgram } from "../src/run-program.ts";

const modules = join(dirname(dirname(fileURLToPath(import.meta.url))), "node_modules");

const program = `
import { type Consumer, type Message, MessageId, PulsarClient, Schema } from "@pulsewire/client";
import { decodeCommand, FrameDecoder, type Command } from "@pulsewire/protocol";

export async function copy(client: PulsarClient, from: string, to: string): Promise<MessageId> {
  const producer = await client.createProducer({ topic: to, schema: Schema.string });
  const consumer: Consumer<string> = await client.subscribe({ topic: from, subscription: "copy", schema: Schema.string });
  const message: Message<string> = await consumer.receive({ timeoutMs: 1000 });
  const text: string | null = message.value;
  await consumer.acknowledge(message);
  const id = await producer.send({ value: text });
  const ledgerId: bigint = id.ledgerId;
  return ledgerId < 0n ? MessageId.earliest : id;
}

export function commandsOf(bytes: Uint8Array): Command["type"][] {
  const types: Command["type"][] = [];
  new FrameDecoder().decode(bytes, ({ buffer, commandStart, commandEnd }) => {
    types.push(decodeCommand(buffer, commandStart, commandEnd).type);
  });
  return types;
}
`;

interface Mode {
  readonly name: string;
  /** Kind of the package that the program is in. */
  readonly type: "module" | "commonjs";
  readonly options: Readonly<Record<string, unknown>>;
}

const nodenextOptions = { module: "nodenext", moduleResolution: "nodenext" };
const nodenext: Mode = { name: "nodenext", type: "module", options: nodenextOptions };
const commonjs: Mode = { name: "nodenext", type: "commonjs", options: nodenextOptions };
const bundler: Mode = { name: "bundler", type: "module", options: { module: "esnext", moduleResolution: "bundler" } };
const node10: Mode = {
  name: "node10",
  type: "commonjs",
  options: { module: "commonjs", moduleResolution: "node10" },
};

describe.each([
  { version: "5.9", folder: "typescript-5.9", modes: [nodenext, commonjs, bundler, node10] },
  // TypeScript 7 has no node10 any more.
  { version: "7.0", folder: "typescript", modes: [nodenext, commonjs, bundler] },
])("TypeScript $version", ({ folder: compiler, modes, version }) => {
  const tsc = join(modules, compiler, "bin", "tsc");

  it("is what it is meant to be", () => {
    expect(runProgram(process.execPath, [tsc, "--version"], modules).output).toContain(`Version ${version}.`);
  });

  it.each(modes)("accepts a program in a $type package with $name, library checks included", ({ options, type }) => {
    const folder = createOutsideFolder({
      "package.json": JSON.stringify({ name: "case", private: true, type }),
      "main.ts": program,
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          target: "es2022",
          lib: ["es2023"],
          strict: true,
          skipLibCheck: false,
          noEmit: true,
          types: ["node"],
          typeRoots: [join(modules, "@types")],
          ...options,
        },
        files: ["main.ts"],
      }),
    });
    expect(runProgram(process.execPath, [tsc, "-p", "."], folder)).toEqual({ code: 0, output: "" });
  });
});

it("refuses a value of the wrong type", () => {
  const folder = createOutsideFolder({
    "package.json": JSON.stringify({ name: "case", private: true, type: "module" }),
    "main.ts": program.replace("value: text", "value: 1"),
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        types: ["node"],
        typeRoots: [join(modules, "@types")],
        ...nodenext.options,
      },
      files: ["main.ts"],
    }),
  });
  const { code, output } = runProgram(process.execPath, [join(modules, "typescript", "bin", "tsc"), "-p", "."], folder);
  expect(code).not.toBe(0);
  expect(output).toContain("TS2322");
});
