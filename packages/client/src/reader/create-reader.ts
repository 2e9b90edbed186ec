import { MessageId } from "@pulsewire/protocol";
import type { ClientContext } from "../client-context.ts";
import { PartitionConsumer } from "../consumer/partition-consumer.ts";
import { resolveConsumerOptions } from "../consumer/resolve-consumer-options.ts";
import { toStartPosition } from "../consumer/start-position.ts";
import { TimeoutError } from "../errors.ts";
import { waitFor } from "../util/wait-for.ts";
import { PartitionReader } from "./partition-reader.ts";
import type { Reader } from "./reader.ts";
import type { ResolvedReaderOptions } from "./reader-options.ts";

/**
 * Makes a reader of a topic that is not partitioned, or of one partition, and attaches it.
 *
 * @param partitionIndex of the topic, -1 for none
 */
export async function createPartitionReader<T>(
  options: ResolvedReaderOptions<T>,
  context: ClientContext,
  partitionIndex: number,
  signal?: AbortSignal,
): Promise<Reader<T>> {
  const { startMessageId, startMessageIdInclusive, startMessageRollbackDurationSec } = options;
  const consumer = new PartitionConsumer({
    options: toConsumerOptions(options, context),
    // The client knows the reader, not the consumer in it.
    context: { ...context, onClosed: () => context.onClosed(reader) },
    partitionIndex,
    start: toStartPosition(startMessageId, startMessageIdInclusive),
    startMessageRollbackDurationSec,
    acknowledgesTaken: true,
  });
  const reader = new PartitionReader(consumer);
  await consumer.open(signal);
  const beginsWithLast = startMessageRollbackDurationSec === undefined && startMessageId.equals(MessageId.latest);
  if (!startMessageIdInclusive || !beginsWithLast) return reader;
  // Both have the operation timeout; what remains is the signal.
  const waiting = {
    signal,
    clock: context.clock,
    onTimeout: () => new TimeoutError("not in time", { topic: options.topic }),
  };
  try {
    // A broker takes "latest" for the place behind the last message: it has to be asked for that message's id.
    const last = await waitFor(consumer.getLastMessageId(), waiting);
    if (last.entryId >= 0n) await waitFor(consumer.seek(last), waiting);
    return reader;
  } catch (error) {
    await reader.close();
    throw error;
  }
}

function toConsumerOptions<T>(
  options: ResolvedReaderOptions<T>,
  context: ClientContext,
): ReturnType<typeof resolveConsumerOptions<T>> {
  return resolveConsumerOptions<T>(
    {
      topic: options.topic,
      subscription: options.subscriptionName,
      subscriptionMode: "NonDurable",
      consumerName: options.readerName,
      receiverQueueSize: options.receiverQueueSize,
      schema: options.schema,
      properties: options.properties,
      readCompacted: options.readCompacted,
      startMessageIdInclusive: options.startMessageIdInclusive,
      maxPendingChunkedMessages: options.maxPendingChunkedMessages,
      autoAckOldestChunkedMessageOnQueueFull: options.autoAckOldestChunkedMessageOnQueueFull,
      expireTimeOfIncompleteChunkedMessageMs: options.expireTimeOfIncompleteChunkedMessageMs,
    },
    context.random,
  );
}
