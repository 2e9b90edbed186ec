import { describe, expect, it } from "vitest";
import type { ConsumerOptions } from "../../src/consumer/consumer-options.ts";
import { resolveConsumerOptions } from "../../src/consumer/resolve-consumer-options.ts";
import type { InvalidConfigurationError } from "../../src/errors.ts";

const GIVEN = { topic: "t", subscription: "s" };

function problemsOf(options: unknown): readonly string[] {
  try {
    resolveConsumerOptions(options as ConsumerOptions, () => 0);
    return [];
  } catch (error) {
    return (error as InvalidConfigurationError).problems.map((problem) => problem.option);
  }
}

describe("consumer options", () => {
  it("have the defaults of the Java client, but for batch index acknowledgement", () => {
    const options = resolveConsumerOptions(GIVEN, () => 0.999);
    const { schema, ...resolved } = options;
    expect(schema.info).toBeUndefined();
    expect(resolved).toEqual({
      ...GIVEN,
      subscriptionType: "Exclusive",
      subscriptionInitialPosition: "Latest",
      subscriptionMode: "Durable",
      consumerName: "zzzzz",
      receiverQueueSize: 1000,
      batchIndexAckEnabled: true,
      acknowledgmentGroupTimeMs: 100,
      maxAcknowledgmentGroupSize: 1000,
      ackReceiptEnabled: false,
      negativeAckRedeliveryDelayMs: 60_000,
      properties: {},
      subscriptionProperties: {},
      priorityLevel: 0,
      readCompacted: false,
      replicateSubscriptionState: false,
      startMessageIdInclusive: false,
      keySharedPolicy: undefined,
      forceTopicCreation: true,
      maxPendingChunkedMessages: 10,
      autoAckOldestChunkedMessageOnQueueFull: false,
      expireTimeOfIncompleteChunkedMessageMs: 60_000,
    });
    expect(Object.isFrozen(options)).toBe(true);
  });

  it("list every problem at once", () => {
    expect(
      problemsOf({
        topic: "",
        subscriptionType: "shared",
        receiverQueueSize: 0,
        acknowledgmentGroupTimeMs: -1,
        schema: {},
        properties: { a: 1 },
        ackTimeoutMs: 5,
      }),
    ).toEqual([
      "topic",
      "subscription",
      "subscriptionType",
      "receiverQueueSize",
      "schema",
      "acknowledgmentGroupTimeMs",
      "properties",
      "ackTimeoutMs",
    ]);
  });

  it.each([
    [{ readCompacted: true, subscriptionType: "Shared" }, ["readCompacted"]],
    [{ readCompacted: true, subscriptionType: "Failover" }, []],
    [{ keySharedPolicy: { mode: "AutoSplit" } }, ["keySharedPolicy"]],
    [{ subscriptionType: "Key_Shared", keySharedPolicy: { mode: "AutoSplit" } }, []],
    [{ subscriptionType: "Key_Shared", keySharedPolicy: { mode: "Sticky", ranges: [] } }, ["keySharedPolicy"]],
    [
      {
        subscriptionType: "Key_Shared",
        keySharedPolicy: {
          mode: "Sticky",
          ranges: [
            { start: 5, end: 9 },
            { start: 0, end: 5 },
          ],
        },
      },
      ["keySharedPolicy"],
    ],
    [
      {
        subscriptionType: "Key_Shared",
        keySharedPolicy: {
          mode: "Sticky",
          ranges: [
            { start: 5, end: 65_535 },
            { start: 0, end: 4 },
          ],
        },
      },
      [],
    ],
    [
      { subscriptionType: "Key_Shared", keySharedPolicy: { mode: "Sticky", ranges: [{ start: 0, end: 65_536 }] } },
      ["keySharedPolicy"],
    ],
  ])("%j have the problems %j", (options, expected) => {
    expect(problemsOf({ ...GIVEN, ...options })).toEqual(expected);
  });
});
