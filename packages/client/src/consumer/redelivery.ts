import { encodeCommand } from "@pulsewire/protocol";
import type { EntryPosition } from "./negative-acks.ts";

/** Entries that one command names at most, as in the Java client. */
const MAX_ENTRIES = 1000;

/** Asks for everything unacknowledged. @param consumerEpoch number of this redelivery, for Exclusive and Failover */
export function encodeRedeliverAll(consumerId: number, consumerEpoch: number | undefined): Uint8Array {
  return encodeCommand("REDELIVER_UNACKNOWLEDGED_MESSAGES", { consumerId, consumerEpoch });
}

/** Asks for some entries, in as many commands as it takes. */
export function encodeRedeliver(consumerId: number, entries: readonly EntryPosition[]): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let start = 0; start < entries.length; start += MAX_ENTRIES) {
    const messageIds = entries
      .slice(start, start + MAX_ENTRIES)
      .map(({ ledger, entry }) => ({ ledgerId: ledger, entryId: entry }));
    frames.push(encodeCommand("REDELIVER_UNACKNOWLEDGED_MESSAGES", { consumerId, messageIds }));
  }
  return frames;
}
