import { describe, expect, it } from "vitest";
import { NamespaceName } from "../../src/topic/namespace-name.ts";
import { topicListHash } from "../../src/topic/topic-list-hash.ts";
import { TopicName } from "../../src/topic/topic-name.ts";
import { knownAnswers } from "../vectors/known-answers.ts";

describe("TopicName", () => {
  it.each([
    ["t", "persistent://public/default/t"],
    ["a/b/c", "persistent://a/b/c"],
    ["persistent://a/b/c", "persistent://a/b/c"],
    ["non-persistent://a/b/c", "non-persistent://a/b/c"],
    ["a b", "persistent://public/default/a b"],
    ["persistent://a/cluster/b/c", "persistent://a/cluster/b/c"],
    ["persistent://a/cluster/b/c/d", "persistent://a/cluster/b/c/d"],
  ])("reads %s as %s", (text, full) => {
    const topic = TopicName.parse(text);
    expect(topic.toString()).toBe(full);
    expect(TopicName.parse(full).equals(topic)).toBe(true);
  });

  it("has the parts of the name", () => {
    const topic = TopicName.parse("non-persistent://a/b/c-partition-12");
    expect(topic).toMatchObject({
      domain: "non-persistent",
      isPersistent: false,
      tenant: "a",
      cluster: undefined,
      localName: "c-partition-12",
      partitionIndex: 12,
      isPartition: true,
    });
    expect(topic.namespace.toString()).toBe("a/b");
    expect(topic.partitionedTopic.toString()).toBe("non-persistent://a/b/c");
    expect(TopicName.parse("persistent://a/cl/b/c/d")).toMatchObject({ tenant: "a", cluster: "cl", localName: "c/d" });
  });

  it.each([
    ["t", -1],
    ["t-partition-0", 0],
    ["t-partition-2147483647", 2147483647],
    ["t-partition-2147483648", -1],
    ["t-partition-01", -1],
    ["t-partition--1", -1],
    ["t-partition-", -1],
    ["-partition-3", -1],
    ["t-partition-x", -1],
    ["t-partition-1-partition-2", 2],
    ["t-partition-1-RETRY", -1],
  ])("knows the partition of %s to be %i", (text, index) => {
    expect(TopicName.parse(text).partitionIndex).toBe(index);
  });

  it("names its partitions", () => {
    const topic = TopicName.parse("t");
    const partition = topic.partition(3);
    expect(partition.toString()).toBe("persistent://public/default/t-partition-3");
    expect(partition.partition(3)).toBe(partition);
    expect(topic.partitionedTopic).toBe(topic);
    const refusal = expect.objectContaining({ code: "INVALID_TOPIC_NAME" });
    expect(() => partition.partition(4)).toThrow(refusal);
    for (const index of [-1, 1.5, 2 ** 31]) expect(() => topic.partition(index)).toThrow(refusal);
  });

  it("encodes its paths", () => {
    const topic = TopicName.parse("persistent://a/b/ä b+c");
    expect(topic.restPath).toBe("persistent/a/b/%C3%A4%20b%2Bc");
    expect(topic.lookupPath).toBe("lookup/v2/topic/persistent/a/b/%C3%A4%20b%2Bc");
    expect(topic.adminPath).toBe("admin/v2/persistent/a/b/%C3%A4%20b%2Bc");
    const old = TopicName.parse("persistent://a/cl/b/c/d");
    expect(old.lookupPath).toBe("lookup/v2/destination/persistent/a/cl/b/c%2Fd");
    expect(old.adminPath).toBe("admin/persistent/a/cl/b/c%2Fd");
  });

  it.each([
    "",
    "a/b",
    "a/b/c/d",
    "/",
    "a//c",
    "a/b/",
    "/b/c",
    "topic://a/b/c",
    "Persistent://a/b/c",
    "://a/b/c",
    "persistent://a/b",
    "persistent://a",
    "persistent://",
    "persistent://a/b/",
    "persistent:///b/c",
    "persistent://a b/c/d",
    "persistent://a/b%/c",
    "persistent://a//b/c",
    "persistent://a/b/c/",
  ])("refuses %j", (text) => {
    expect(() => TopicName.parse(text)).toThrow(expect.objectContaining({ code: "INVALID_TOPIC_NAME" }));
  });
});

describe("NamespaceName", () => {
  it("reads the present and the old form", () => {
    expect(NamespaceName.parse("a/b")).toMatchObject({ tenant: "a", cluster: undefined, localName: "b" });
    expect(NamespaceName.parse("a/cl/b")).toMatchObject({ tenant: "a", cluster: "cl", localName: "b" });
    expect(NamespaceName.parse("a/cl/b").toString()).toBe("a/cl/b");
    expect(NamespaceName.parse("a/b").equals(NamespaceName.of("a", "b"))).toBe(true);
  });

  it.each(["", "a", "a/", "/b", "a/b/c/d", "a b/c", "a/b?"])("refuses %j", (text) => {
    expect(() => NamespaceName.parse(text)).toThrow(expect.objectContaining({ code: "INVALID_TOPIC_NAME" }));
  });
});

describe("topicListHash", () => {
  it.each(knownAnswers.topic_list_hashes)("gives the broker's answer $topics_hash", ({ topics, topics_hash: hash }) => {
    expect(topicListHash(topics)).toBe(hash);
    expect(topicListHash([...topics].reverse())).toBe(hash);
  });
});
