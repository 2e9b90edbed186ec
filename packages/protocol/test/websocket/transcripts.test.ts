import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parseConsumerCommand, parseSessionMessage } from "../../src/websocket/consumer-messages.ts";
import {
  parseConsumerParameters,
  parseProducerParameters,
  parseReaderParameters,
} from "../../src/websocket/endpoint-parameters.ts";
import { parseEndpointPath, parseTopicSelection } from "../../src/websocket/endpoint-path.ts";
import { parsePublish, parseReceipt } from "../../src/websocket/producer-messages.ts";

interface Step {
  readonly on?: string;
  readonly connect?: string;
  readonly upgrade?: number;
  readonly message?: string;
  readonly send?: unknown;
  readonly sendText?: string;
  readonly recv?: Readonly<Record<string, unknown>>;
  readonly close?: { readonly by: string; readonly code: number };
}

const folder = new URL("../vectors/data/websocket/", import.meta.url);
const transcripts = readdirSync(folder).map((file) => {
  const { steps } = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as { readonly steps: readonly Step[] };
  return [file.replace(".json", ""), steps] as const;
});

/** What this package says to an upgrade: 101 or the status of the refusal. */
function answerTo(connect: string): number {
  const [path = "", search = ""] = connect.replaceAll("{run}", "r").split("?", 2);
  const endpoint = parseEndpointPath(path);
  if (endpoint.kind === "refused") return endpoint.status;
  const query = new URLSearchParams(search);
  try {
    switch (endpoint.kind) {
      case "producer":
        parseProducerParameters(query);
        return 101;
      case "reader":
        parseReaderParameters(query);
        return 101;
      case "multi-topic-consumer":
        parseConsumerParameters(query);
        return parseTopicSelection(query) === undefined ? 400 : 101;
      case "consumer":
        parseConsumerParameters(query);
        return 101;
    }
  } catch {
    return endpoint.kind === "reader" ? 500 : 400;
  }
}

it.each(transcripts)("the sessions of %s open, and bad parameters are refused", (_, steps) => {
  for (const { connect, upgrade, message = "" } of steps) {
    if (connect === undefined) continue;
    if (upgrade === 101) expect([connect, answerTo(connect)]).toEqual([connect, 101]);
    if (upgrade === 400 && message.startsWith("Invalid query params")) {
      expect([connect, answerTo(connect)]).toEqual([connect, 400]);
    }
  }
});

it.each(transcripts.filter(([name]) => name.startsWith("producer-")))("%s: publishes get their reply", (_, steps) => {
  const pending = new Map<string, [text: string, outcome: ReturnType<typeof parsePublish>][]>();
  for (const { on = "", connect, send, sendText, recv, close } of steps) {
    if (connect?.includes("/producer/") === true) pending.set(on, []);
    const queue = pending.get(on);
    const text = (sendText ?? (send === undefined ? undefined : JSON.stringify(send)))?.replace(
      /<A\*(\d+)>/,
      (_all, count) => "A".repeat(Number(count)),
    );
    if (text !== undefined) queue?.push([text, parsePublish(text)]);
    if (close?.by === "server" && close.code === 1011 && queue?.length === 1)
      expect(queue).toEqual([[expect.anything(), expect.objectContaining({ kind: "fatal" })]]);
    if (recv === undefined || queue === undefined) continue;
    // A failure found at once overtakes what is pending: the context tells which one it answers.
    const at = queue.findIndex(
      ([, outcome]) => recv["context"] !== undefined && "context" in outcome && outcome.context === recv["context"],
    );
    const [answered] = queue.splice(Math.max(at, 0), 1);
    const receipt = parseReceipt(JSON.stringify(recv));
    const refused = receipt.kind === "error" && receipt.code !== 8;
    const expected = refused ? { kind: "refused", code: receipt.code } : { kind: "publish" };
    expect(answered).toEqual([expect.anything(), expect.objectContaining({ ...expected, ...echoOf(receipt) })]);
  }
});

function echoOf({ context }: { readonly context?: string | undefined }): object {
  return context === undefined || context.startsWith("<any") ? {} : { context };
}

it.each(transcripts.filter(([name]) => !name.startsWith("producer-")))(
  "what the sessions of %s exchange is read",
  (_, steps) => {
    const others = new Set(
      steps.filter(({ connect }) => connect !== undefined && !connect.includes("/producer/")).map(({ on }) => on),
    );
    for (const step of steps) {
      if (!others.has(step.on)) continue;
      if (step.recv !== undefined) parseSessionMessage(JSON.stringify(step.recv));
      const { send } = step;
      if (send !== undefined && !JSON.stringify(send).includes("$"))
        expect(parseConsumerCommand(JSON.stringify(send))).toBeDefined();
    }
  },
);
