import type { ClientContext } from "../client-context.ts";
import type { Consumer } from "./consumer.ts";
import { PartitionConsumer } from "./partition-consumer.ts";
import type { ResolvedConsumerOptions } from "./resolve-consumer-options.ts";

/**
 * Makes a consumer of a topic that is not partitioned, or of one partition, and attaches it.
 *
 * @param partitionIndex of the topic, -1 for none
 */
export async function createPartitionConsumer<T>(
  options: ResolvedConsumerOptions<T>,
  context: ClientContext,
  partitionIndex: number,
  signal?: AbortSignal,
): Promise<Consumer<T>> {
  const consumer = new PartitionConsumer({ options, context, partitionIndex });
  await consumer.open(signal);
  return consumer;
}
