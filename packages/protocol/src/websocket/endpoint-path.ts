/** Domain of a topic as it stands in a path. */
export type EndpointDomain = "persistent" | "non-persistent";

/** A topic addressed by a path; `cluster` only in paths of the old form. Topic decoded, the rest as it stands. */
export interface EndpointTopic {
  readonly domain: EndpointDomain;
  readonly tenant: string;
  readonly cluster?: string | undefined;
  readonly namespace: string;
  readonly topic: string;
}

/** An address of the WebSocket API without its parameters. */
export type WebSocketEndpoint =
  | ({ readonly kind: "producer" } & EndpointTopic)
  | ({ readonly kind: "consumer"; readonly subscription: string } & EndpointTopic)
  | ({ readonly kind: "reader" } & EndpointTopic)
  | { readonly kind: "multi-topic-consumer"; readonly subscription: string };

/** What a service answers to the upgrade of a path that is no endpoint. */
export interface EndpointRefusal {
  readonly kind: "refused";
  readonly status: 302 | 400 | 404 | 500;
  readonly reason: string;
}

/** Full name of an endpoint's topic. */
export function endpointTopicName({ domain, tenant, cluster, namespace, topic }: EndpointTopic): string {
  return `${domain}://${[tenant, cluster, namespace, topic].filter((part) => part !== undefined).join("/")}`;
}

/** Path of an endpoint, topic and subscription percent-encoded. */
export function formatEndpointPath(endpoint: WebSocketEndpoint): string {
  if (endpoint.kind === "multi-topic-consumer") return `/ws/v3/consumer/${encodeURIComponent(endpoint.subscription)}`;
  const { kind, domain, tenant, cluster, namespace, topic } = endpoint;
  const prefix = cluster === undefined ? `/ws/v2/${kind}` : `/ws/${kind}`;
  const scope = cluster === undefined ? tenant : `${tenant}/${cluster}`;
  const path = `${prefix}/${domain}/${scope}/${namespace}/${encodeURIComponent(topic)}`;
  return kind === "consumer" ? `${path}/${encodeURIComponent(endpoint.subscription)}` : path;
}

/**
 * Reads the path of an upgrade request as the service does: topic and subscription are form-decoded (`+` is a space),
 * tenant and namespace are not; the topic of producers and readers may hold slashes, that of consumers only as `%2F`.
 */
export function parseEndpointPath(path: string): WebSocketEndpoint | EndpointRefusal {
  const [root, second = "", ...rest] = path.replace(/^\//, "").split("/");
  if (root !== "ws") return refused(404, "no endpoint");
  if (second === "v3") return parseMultiTopic(rest);
  const isOld = second !== "v2";
  const [kind, ...parts] = isOld ? [second, ...rest] : rest;
  if (kind !== "producer" && kind !== "consumer" && kind !== "reader") return refused(404, "no endpoint");
  if (parts.length === 0) return refused(302, `${path}/`);
  const scope = isOld ? 4 : 3;
  if (kind === "consumer" && parts.length !== scope + 2) return refused(400, "Invalid topic name format");
  if (parts.length <= scope) return refused(500, "Invalid topic name format");
  const topic = readTopic(parts, scope, kind === "consumer" ? scope + 1 : parts.length);
  if (topic === undefined) return refused(kind === "consumer" ? 400 : 500, "Invalid topic name format");
  if (kind !== "consumer") return { kind, ...topic };
  const subscription = formDecode(parts[scope + 1] ?? "");
  if (subscription === undefined || subscription === "") return refused(400, "Empty subscription name");
  return { kind, ...topic, subscription };
}

/**
 * Reads which topics a multi-topic consumer asks for: `topics`, a list with commas, or `topicsPattern`, never both.
 * Undefined when the query breaks that rule or the list has a gap.
 */
export function parseTopicSelection(
  query: URLSearchParams,
):
  | { readonly kind: "topics"; readonly topics: readonly string[] }
  | { readonly kind: "pattern"; readonly pattern: string }
  | undefined {
  const topics = query.get("topics");
  const pattern = query.get("topicsPattern");
  if (topics !== null && pattern !== null) return undefined;
  if (pattern !== null) return pattern === "" ? undefined : { kind: "pattern", pattern };
  const list = topics?.split(",").map((topic) => topic.trim()) ?? [];
  return list.length === 0 || list.includes("") ? undefined : { kind: "topics", topics: list };
}

function parseMultiTopic([kind, subscription]: readonly string[]): WebSocketEndpoint | EndpointRefusal {
  if (kind !== "consumer") return refused(404, "no endpoint");
  const decoded = formDecode(subscription ?? "");
  if (decoded === undefined || decoded === "") return refused(400, "Empty subscription name");
  return { kind: "multi-topic-consumer", subscription: decoded };
}

function readTopic(parts: readonly string[], scope: number, end: number): EndpointTopic | undefined {
  const [domain, tenant = "", second = "", third = ""] = parts;
  const topic = formDecode(parts.slice(scope, end).join("/"));
  if (topic === undefined || topic === "" || (domain !== "persistent" && domain !== "non-persistent")) return undefined;
  if (scope === 3) return { domain, tenant, namespace: second, topic };
  return { domain, tenant, cluster: second, namespace: third, topic };
}

function formDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

function refused(status: EndpointRefusal["status"], reason: string): EndpointRefusal {
  return { kind: "refused", status, reason };
}
