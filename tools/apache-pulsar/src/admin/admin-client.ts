import { AdminRequestError } from "../errors.ts";
import { namespacePath, topicPath } from "./admin-path.ts";

/** How an {@link AdminClient} reaches its broker. */
export interface AdminClientOptions {
  /** Sent with every request where the broker asks for a token. Default: none. */
  readonly token?: string | undefined;
  /** Milliseconds for one request with its redirects. Default: 30 000. */
  readonly timeoutMs?: number | undefined;
}

/** Where a topic is served. */
export interface TopicOwner {
  /** `pulsar://host:port` of the broker. */
  readonly brokerUrl: string;
  /** `http://host:port` of the broker. */
  readonly httpUrl: string;
}

const maxRedirects = 5;

/**
 * The part of the admin REST interface that tests need. Topics are given as `persistent://tenant/namespace/topic` or short, as
 * everywhere in Pulsar; namespaces as `tenant/namespace`. Every method throws {@link AdminRequestError} for an answer other than 2xx.
 */
export class AdminClient {
  readonly #url: string;
  readonly #token: string | undefined;
  readonly #timeoutMs: number;

  /** `url` is a broker's `http://host:port`. */
  constructor(url: string, options: AdminClientOptions = {}) {
    this.#url = url.replace(/\/+$/u, "");
    this.#token = options.token;
    this.#timeoutMs = options.timeoutMs ?? 30_000;
  }

  /**
   * Any request, e.g. `request("GET", "/admin/v2/clusters")`. `body` is sent as JSON; the answer is parsed where it is JSON, is text
   * where it is not, and undefined where it is empty. Follows redirects to the broker in charge.
   */
  async request(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> {
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    const init: RequestInit = {
      method,
      redirect: "manual",
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      headers: {
        ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    };
    const answer = await this.#send(new URL(path, this.#url), init);
    if (answer.text === "") return undefined;
    try {
      return JSON.parse(answer.text) as unknown;
    } catch {
      return answer.text;
    }
  }

  /** Redirects are followed here and not by `fetch`, which drops the token on its way to another port. */
  async #send(start: URL, init: RequestInit): Promise<{ readonly text: string }> {
    let url = start;
    for (let redirects = 0; ; redirects++) {
      const name = `${init.method ?? "GET"} ${url.href}`;
      let response: Response;
      let text: string;
      try {
        response = await fetch(url, init);
        text = await response.text();
      } catch (cause) {
        const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
        throw new AdminRequestError(name, 0, String(reason), { cause });
      }
      const location = response.headers.get("location");
      if (response.status >= 300 && response.status < 400 && location !== null && redirects < maxRedirects) {
        url = new URL(location, url);
        continue;
      }
      if (!response.ok) throw new AdminRequestError(name, response.status, text);
      return { text };
    }
  }

  /** Makes a topic without partitions. */
  async createTopic(topic: string): Promise<void> {
    await this.request("PUT", topicPath(topic));
  }

  /** Removes a topic; `force` also closes its producers and consumers (default false). */
  async deleteTopic(topic: string, options: { readonly force?: boolean } = {}): Promise<void> {
    await this.request("DELETE", `${topicPath(topic)}?force=${String(options.force ?? false)}`);
  }

  /** Makes a topic with partitions. */
  async createPartitionedTopic(topic: string, partitions: number): Promise<void> {
    await this.request("PUT", `${topicPath(topic)}/partitions`, partitions);
  }

  /** Raises the number of partitions. */
  async updatePartitions(topic: string, partitions: number): Promise<void> {
    await this.request("POST", `${topicPath(topic)}/partitions`, partitions);
  }

  /** Removes a topic with its partitions; `force` also closes producers and consumers (default false). */
  async deletePartitionedTopic(topic: string, options: { readonly force?: boolean } = {}): Promise<void> {
    await this.request("DELETE", `${topicPath(topic)}/partitions?force=${String(options.force ?? false)}`);
  }

  /** Has the broker close the topic and give it up; clients look it up again. */
  async unloadTopic(topic: string): Promise<void> {
    await this.request("PUT", `${topicPath(topic)}/unload`);
  }

  /** Ends the topic for good; gives back the id of its last message. */
  async terminateTopic(topic: string): Promise<{ readonly ledgerId: bigint; readonly entryId: bigint }> {
    const last = (await this.request("POST", `${topicPath(topic)}/terminate`)) as {
      readonly ledgerId: number;
      readonly entryId: number;
    };
    return { ledgerId: BigInt(last.ledgerId), entryId: BigInt(last.entryId) };
  }

  /** Statistics of a topic, as the broker gives them. */
  async topicStats(topic: string): Promise<Record<string, unknown>> {
    return (await this.request("GET", `${topicPath(topic)}/stats`)) as Record<string, unknown>;
  }

  /** Statistics of a topic's ledgers and cursors, as the broker gives them. */
  async topicInternalStats(topic: string): Promise<Record<string, unknown>> {
    return (await this.request("GET", `${topicPath(topic)}/internalStats`)) as Record<string, unknown>;
  }

  /** Names of a topic's subscriptions. */
  async subscriptions(topic: string): Promise<readonly string[]> {
    return (await this.request("GET", `${topicPath(topic)}/subscriptions`)) as readonly string[];
  }

  /** The broker that serves the topic, which is loaded there if it was nowhere. */
  async lookup(topic: string): Promise<TopicOwner> {
    const path = topicPath(topic).replace("/admin/v2/", "/lookup/v2/topic/");
    const { brokerUrl, httpUrl } = (await this.request("GET", path)) as TopicOwner;
    return { brokerUrl, httpUrl };
  }

  /** Makes a namespace; `policies` as the broker names them, e.g. `{ bundles: { numBundles: 4 } }`. */
  async createNamespace(namespace: string, policies: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await this.request("PUT", namespacePath(namespace), policies);
  }

  /** Removes a namespace; `force` also removes its topics (default false; the broker must allow it). */
  async deleteNamespace(namespace: string, options: { readonly force?: boolean } = {}): Promise<void> {
    await this.request("DELETE", `${namespacePath(namespace)}?force=${String(options.force ?? false)}`);
  }

  /** All policies of a namespace. */
  async namespacePolicies(namespace: string): Promise<Record<string, unknown>> {
    return (await this.request("GET", namespacePath(namespace))) as Record<string, unknown>;
  }

  /** Sets one policy by the last part of its path, e.g. `("public/default", "deduplication", true)`. */
  async setNamespacePolicy(namespace: string, policy: string, value: unknown): Promise<void> {
    await this.request("POST", `${namespacePath(namespace)}/${policy}`, value);
  }

  /** Has the brokers give up all topics of a namespace. */
  async unloadNamespace(namespace: string): Promise<void> {
    await this.request("PUT", `${namespacePath(namespace)}/unload`);
  }

  /** `host:port` of the web service of every broker that is up. */
  async brokers(): Promise<readonly string[]> {
    return (await this.request("GET", "/admin/v2/brokers")) as readonly string[];
  }
}
