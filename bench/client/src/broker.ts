import { type Standalone, startStandalone } from "@pulsewire/apache-pulsar";

/** Starts the broker that all clients are measured against. */
export async function startBroker(): Promise<Standalone> {
  return await startStandalone({
    heapMb: 1024,
    directMemoryMb: 1024,
    config: {
      // With its default of 10 every client shows 10 ms from end to end.
      managedLedgerNewEntriesCheckDelayInMillis: 0,
      journalSyncData: false,
      // What is stored stays to be consumed by one client after the other.
      defaultRetentionTimeInMinutes: -1,
      defaultRetentionSizeInMB: -1,
      backlogQuotaDefaultLimitGB: -1,
      brokerDeduplicationEnabled: false,
    },
    onProgress: (line) => console.error(line),
  });
}
