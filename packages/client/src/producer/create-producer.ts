import { type CompressionCodec, compressionRegistry } from "@pulsewire/protocol";
import type { ClientContext } from "../client-context.ts";
import { NotSupportedError } from "../errors.ts";
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
  const codec = await loadCodec(options);
  const producer = new PartitionProducer({ options, context, partitionIndex, codec });
  await producer.open(signal);
  return producer;
}

async function loadCodec({
  compressionType,
  topic,
}: Pick<ResolvedProducerOptions<unknown>, "compressionType" | "topic">): Promise<CompressionCodec | undefined> {
  if (compressionType === "NONE") return undefined;
  try {
    return await compressionRegistry.load(compressionType);
  } catch (cause) {
    throw new NotSupportedError(`${compressionType} cannot be loaded`, { topic, cause });
  }
}
