import type { MessageIdData } from "./message-id-data.ts";

/** Parts found in the text form of an id. */
export interface MessageIdTextFields {
  readonly ledgerId: bigint;
  readonly entryId: bigint;
  readonly partitionIndex: number;
  readonly batchIndex: number;
  readonly firstChunkMessageId?: MessageIdTextFields;
}

const JAVA_FORM = /^(-?\d{1,19}):(-?\d{1,19})(?::(-?\d{1,10})(?::(-?\d{1,10}))?)?$/;
const CPP_FORM = /^\((-?\d{1,19}),(-?\d{1,19}),(-?\d{1,10}),(-?\d{1,10})\)$/;

/** Text form of the Java client. */
export function formatMessageId(id: MessageIdData): string {
  const own = `${id.ledger}:${id.entry}:${id.partitionIndex}${id.batchIndex >= 0 ? `:${id.batchIndex}` : ""}`;
  return id.firstChunkMessageId === undefined ? own : `${formatMessageId(id.firstChunkMessageId)};${own}`;
}

/** Reads the text form of the Java or the C++ client; undefined for any other text. */
export function parseMessageIdText(text: string): MessageIdTextFields | undefined {
  const parts = text.split(";", 3);
  if (parts.length > 2) return undefined;
  const last = parseOne(parts.at(-1) ?? "");
  if (parts.length === 1 || last === undefined) return last;
  const firstChunkMessageId = parseOne(parts[0] ?? "");
  return firstChunkMessageId === undefined ? undefined : { ...last, firstChunkMessageId };
}

function parseOne(text: string): MessageIdTextFields | undefined {
  const found = JAVA_FORM.exec(text) ?? CPP_FORM.exec(text);
  if (found === null) return undefined;
  return {
    ledgerId: BigInt(found[1] ?? ""),
    entryId: BigInt(found[2] ?? ""),
    partitionIndex: Number(found[3] ?? -1),
    batchIndex: Number(found[4] ?? -1),
  };
}
