import { ServerError } from "@pulsewire/protocol";
import { expect, it } from "vitest";
import { fromServerError } from "../../src/server-errors.ts";
import { isFinal } from "../../src/session/retry-policy.ts";

type Name = keyof typeof ServerError;

const FINAL: readonly Name[] = [
  "AuthorizationError",
  "IncompatibleSchema",
  "TopicNotFound",
  "SubscriptionNotFound",
  "InvalidTopicName",
  "NotAllowedError",
  "ConsumerAssignError",
  "TransactionConflict",
  "ProducerFenced",
  "TopicTerminatedError",
];
const FINAL_AT_FIRST: readonly Name[] = ["ProducerBusy", "ConsumerBusy", "AuthenticationError"];
const RETRIED: readonly Name[] = [
  "ServiceNotReady",
  "MetadataError",
  "PersistenceError",
  "TooManyRequests",
  "UnknownError",
  "ProducerBlockedQuotaExceededError",
  "ProducerBlockedQuotaExceededException",
];

it.each([
  ...FINAL.map((name) => ({ name, first: true, later: true })),
  ...FINAL_AT_FIRST.map((name) => ({ name, first: true, later: false })),
  ...RETRIED.map((name) => ({ name, first: false, later: false })),
])("$name ends a first attempt: $first, a later one: $later", ({ name, first, later }) => {
  const error = fromServerError(ServerError[name], "");
  expect([isFinal(error, true), isFinal(error, false)]).toEqual([first, later]);
});

it("takes what is no PulsarError for a defect", () => {
  expect(isFinal(new TypeError("x"), false)).toBe(true);
});
