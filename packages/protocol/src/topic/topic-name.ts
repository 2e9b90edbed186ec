import { ProtocolError } from "../errors.ts";
import { NamespaceName } from "./namespace-name.ts";

/** Whether a topic's messages are stored. */
export type TopicDomain = "persistent" | "non-persistent";

const PARTITION_SUFFIX = "-partition-";
/** An index in its only form: no sign, no leading zero; the range of a 32-bit integer is checked apart. */
const PARTITION = /.-partition-(0|[1-9]\d{0,9})$/s;
const MAX_INDEX = 0x7fffffff;

/**
 * Name of a topic or of one of its partitions. Immutable.
 *
 * | text | means |
 * | --- | --- |
 * | `t` | `persistent://public/default/t` |
 * | `a/b/c` | `persistent://a/b/c` |
 * | `domain://tenant/namespace/topic` | itself |
 * | `domain://tenant/cluster/namespace/topic` | itself, the old form; here the topic may contain slashes |
 */
export class TopicName {
  readonly domain: TopicDomain;
  readonly namespace: NamespaceName;
  /** Name within the namespace, with the suffix of a partition if it is one. */
  readonly localName: string;
  /** Index of the partition that this name stands for, -1 when it stands for a whole topic. */
  readonly partitionIndex: number;
  readonly #text: string;

  private constructor(domain: TopicDomain, namespace: NamespaceName, localName: string) {
    this.domain = domain;
    this.namespace = namespace;
    this.localName = localName;
    this.partitionIndex = partitionIndexOf(localName);
    this.#text = `${domain}://${namespace.toString()}/${localName}`;
  }

  /** @throws ProtocolError `INVALID_TOPIC_NAME` */
  static of(domain: TopicDomain, namespace: NamespaceName, localName: string): TopicName {
    if (localName === "") throw new ProtocolError("INVALID_TOPIC_NAME", "the name of a topic must not be empty");
    return new TopicName(domain, namespace, localName);
  }

  /**
   * Reads a short or a full name.
   *
   * @throws ProtocolError `INVALID_TOPIC_NAME` with the text and what is wrong
   */
  static parse(text: string): TopicName {
    const schemeEnd = text.indexOf("://");
    if (schemeEnd < 0) return TopicName.of("persistent", ...parseShort(text));
    const domain = text.slice(0, schemeEnd);
    if (domain !== "persistent" && domain !== "non-persistent") {
      throw invalid(text, `domain must be persistent or non-persistent, got ${JSON.stringify(domain)}`);
    }
    return TopicName.of(domain, ...parseFull(text, text.slice(schemeEnd + 3)));
  }

  get tenant(): string {
    return this.namespace.tenant;
  }

  /** Cluster of an old name; undefined in the present form. */
  get cluster(): string | undefined {
    return this.namespace.cluster;
  }

  get isPersistent(): boolean {
    return this.domain === "persistent";
  }

  /** True when this is the name of a partition. */
  get isPartition(): boolean {
    return this.partitionIndex >= 0;
  }

  /**
   * Name of a partition of this topic. Of a partition's own name, only that partition exists.
   *
   * @throws ProtocolError `INVALID_TOPIC_NAME` for an index that is none, or another partition of a partition
   */
  partition(index: number): TopicName {
    if (!Number.isInteger(index) || index < 0 || index > MAX_INDEX) {
      throw invalid(this.#text, `partition index must be an integer from 0 to ${MAX_INDEX}, got ${index}`);
    }
    if (this.partitionIndex === index) return this;
    if (this.isPartition) throw invalid(this.#text, `a partition has no partition ${index}`);
    return new TopicName(this.domain, this.namespace, `${this.localName}${PARTITION_SUFFIX}${index}`);
  }

  /** Name of the topic that this is a partition of; itself when it is none. */
  get partitionedTopic(): TopicName {
    if (!this.isPartition) return this;
    const localName = this.localName.slice(0, this.localName.lastIndexOf(PARTITION_SUFFIX));
    return TopicName.of(this.domain, this.namespace, localName);
  }

  /** `domain/tenant/namespace/topic` with the topic percent-encoded, as paths of the admin REST API contain it. */
  get restPath(): string {
    return `${this.domain}/${this.namespace.toString()}/${encodeURIComponent(this.localName)}`;
  }

  /** Path of the HTTP lookup, without a slash in front. */
  get lookupPath(): string {
    return `lookup/v2/${this.cluster === undefined ? "topic" : "destination"}/${this.restPath}`;
  }

  /** Path of the topic in the admin REST API, without a slash in front. */
  get adminPath(): string {
    return `admin/${this.cluster === undefined ? "v2/" : ""}${this.restPath}`;
  }

  equals(other: TopicName): boolean {
    return this.toString() === other.toString();
  }

  /** Full name. */
  toString(): string {
    return this.#text;
  }
}

function parseShort(text: string): [NamespaceName, string] {
  const parts = text.split("/");
  const [tenant = "", namespace = "", localName = ""] = parts;
  if (parts.length === 1) {
    if (text === "") throw invalid(text, "the name of a topic must not be empty");
    return [NamespaceName.of("public", "default"), text];
  }
  if (parts.length === 3) return [NamespaceName.of(tenant, namespace), localName];
  throw invalid(text, "a name without domain is either topic or tenant/namespace/topic");
}

function parseFull(text: string, rest: string): [NamespaceName, string] {
  const parts = rest.split("/");
  const [first = "", second = "", third = ""] = parts;
  if (parts.length === 3) return [NamespaceName.of(first, second), third];
  if (parts.length > 3) return [NamespaceName.of(first, third, second), parts.slice(3).join("/")];
  throw invalid(text, "a name with domain is domain://tenant/namespace/topic");
}

function partitionIndexOf(localName: string): number {
  const index = Number(PARTITION.exec(localName)?.[1] ?? -1);
  return index <= MAX_INDEX ? index : -1;
}

function invalid(text: string, reason: string): ProtocolError {
  return new ProtocolError("INVALID_TOPIC_NAME", `${JSON.stringify(text.slice(0, 200))}: ${reason}`);
}
