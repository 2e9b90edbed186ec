import { expect, it } from "vitest";
import { createOutsideFolder } from "../src/outside-folder.ts";
import { runProgram } from "../src/run-program.ts";

const use = `
const id = MessageId.of({ ledgerId: 2n ** 60n, entryId: 7n });
if (!MessageId.fromBytes(id.toBytes()).equals(id)) throw new Error("a message id does not survive its bytes");
const client = new PulsarClient({ serviceUrl: "pulsar://localhost:6650" });
client.close().then(() => console.log("closed", id.ledgerId));
`;

it("runs as ES modules", () => {
  const folder = createOutsideFolder({
    "main.mjs": `import { PulsarClient } from "@pulsewire/client"; import { MessageId } from "@pulsewire/protocol"; ${use}`,
  });
  expect(runProgram(process.execPath, ["main.mjs"], folder)).toEqual({
    code: 0,
    output: "closed 1152921504606846976n\n",
  });
});

it("runs as CommonJS", () => {
  const folder = createOutsideFolder({
    "main.cjs": `const { PulsarClient } = require("@pulsewire/client"); const { MessageId } = require("@pulsewire/protocol"); ${use}`,
  });
  expect(runProgram(process.execPath, ["main.cjs"], folder)).toEqual({
    code: 0,
    output: "closed 1152921504606846976n\n",
  });
});

it("loads two different copies by import and require, whose errors and message ids recognise each other", () => {
  const folder = createOutsideFolder({
    "main.mjs": `
      import { createRequire } from "node:module";
      import * as esm from "@pulsewire/client";
      import * as esmProtocol from "@pulsewire/protocol";
      const require = createRequire(import.meta.url);
      const cjs = require("@pulsewire/client");
      const cjsProtocol = require("@pulsewire/protocol");
      const errorOf = ({ PulsarClient }) => { try { new PulsarClient({ serviceUrl: "?" }); } catch (error) { return error; } };
      const protocolErrorOf = ({ FrameDecoder }) => {
        try { new FrameDecoder().decode(new Uint8Array([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]), () => {}); } catch (error) { return error; }
      };
      console.log(JSON.stringify({
        copies: esm.PulsarClient !== cjs.PulsarClient,
        instance: errorOf(cjs) instanceof esm.InvalidConfigurationError,
        client: [esm.PulsarError.isPulsarError(errorOf(cjs)), cjs.PulsarError.isPulsarError(errorOf(esm))],
        protocol: [
          esmProtocol.ProtocolError.isProtocolError(protocolErrorOf(cjsProtocol)),
          cjsProtocol.ProtocolError.isProtocolError(protocolErrorOf(esmProtocol)),
        ],
        stranger: esm.PulsarError.isPulsarError(new Error("not ours")),
        ids: esm.MessageId.earliest.equals(cjs.MessageId.earliest),
      }));
    `,
  });
  const { code, output } = runProgram(process.execPath, ["main.mjs"], folder);
  expect(code, output).toBe(0);
  expect(JSON.parse(output)).toEqual({
    copies: true,
    instance: false,
    client: [true, true],
    protocol: [true, true],
    stranger: false,
    ids: true,
  });
});
