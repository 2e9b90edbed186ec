import { ProtocolError } from "../errors.ts";

/** What Pulsar takes as the name of a tenant, a cluster or a namespace. */
const ENTITY = /^[-=:.\w]+$/;

/**
 * Name of a namespace: `tenant/namespace`, or in the old form `tenant/cluster/namespace`. Immutable.
 */
export class NamespaceName {
  readonly tenant: string;
  /** Cluster of an old name; undefined in the present form. */
  readonly cluster: string | undefined;
  /** Name within the tenant (and the cluster). */
  readonly localName: string;

  private constructor(tenant: string, cluster: string | undefined, localName: string) {
    this.tenant = tenant;
    this.cluster = cluster;
    this.localName = localName;
  }

  /** @throws ProtocolError `INVALID_TOPIC_NAME` naming the part that is wrong */
  static of(tenant: string, localName: string, cluster?: string): NamespaceName {
    checkEntity("tenant", tenant);
    if (cluster !== undefined) checkEntity("cluster", cluster);
    checkEntity("namespace", localName);
    return new NamespaceName(tenant, cluster, localName);
  }

  /** @throws ProtocolError `INVALID_TOPIC_NAME` */
  static parse(text: string): NamespaceName {
    const parts = text.split("/");
    const [first = "", second = "", third] = parts;
    if (parts.length === 2) return NamespaceName.of(first, second);
    if (parts.length === 3 && third !== undefined) return NamespaceName.of(first, third, second);
    throw new ProtocolError("INVALID_TOPIC_NAME", `not a namespace (tenant/namespace): ${JSON.stringify(text)}`);
  }

  equals(other: NamespaceName): boolean {
    return this.toString() === other.toString();
  }

  /** Text form, as {@link NamespaceName.parse} takes it. */
  toString(): string {
    return [this.tenant, this.cluster, this.localName].filter((part) => part !== undefined).join("/");
  }
}

function checkEntity(what: string, name: string): void {
  if (!ENTITY.test(name)) {
    throw new ProtocolError(
      "INVALID_TOPIC_NAME",
      `${what} must be letters, digits and any of - = : . _, got ${JSON.stringify(name)}`,
    );
  }
}
