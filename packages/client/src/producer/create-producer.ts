import { compressionRegistry } from "@pulsewire/protocol";
import type { ClientContext } from "../client-context.ts";
import { PartitionProducer } from "./partition-producer.ts";
import type { Producer } from "./producer.ts";
import type { ResolvedProducerOptions } from "./producer-options.ts";

/**
 * Makes a producer of a topic that is not partitioned, or of one partition, and attaches it.
 *
 * @param partitionIndex of the topic, -1 for none
 */
export async function createPartitionProducer<T>(
  options: ResolvedProducerOptions<T>,
  context: ClientContext,
  partitionIndex: number,
  signal?: AbortSignal,
): Promise<Producer<T>> {
  const { compressionType } = options;
  const codec = compressionType === "NONE" ? undefined : await compressionRegistry.load(compressionType);
  const producer = new PartitionProducer({ options, context, partitionIndex, codec });
  await producer.open(signal);
  return producer;
}
