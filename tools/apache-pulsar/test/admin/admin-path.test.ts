import { expect, it } from "vitest";
import { namespacePath, topicPath } from "../../src/admin/admin-path.ts";

it.each([
  ["t", "/admin/v2/persistent/public/default/t"],
  ["a/b/t", "/admin/v2/persistent/a/b/t"],
  ["persistent://a/b/t", "/admin/v2/persistent/a/b/t"],
  ["non-persistent://a/b/t/u v", "/admin/v2/non-persistent/a/b/t%2Fu%20v"],
])("finds the topic %s at %s", (topic, path) => {
  expect(topicPath(topic)).toBe(path);
});

it.each(["", "a/b"])("refuses %j as a topic", (topic) => {
  expect(() => topicPath(topic)).toThrow("is not the name of a topic");
});

it("finds a namespace and refuses what is none", () => {
  expect(namespacePath("a/b c")).toBe("/admin/v2/namespaces/a/b%20c");
  expect(() => namespacePath("a")).toThrow("is not the name of a namespace");
});
