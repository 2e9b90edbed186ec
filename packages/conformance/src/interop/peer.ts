import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { PeerCommand } from "./peer-build.ts";

/** The names that Pulsar's clients have for the compressions. */
export type CompressionName = "NONE" | "LZ4" | "ZLIB" | "ZSTD" | "SNAPPY";

/** A message to produce. Binary fields are base64. */
export interface PeerMessage {
  /** Null for a tombstone. */
  readonly payload: string | null;
  readonly key?: string;
  readonly properties?: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly eventTime?: number;
}

/** A message as a peer received it. */
export interface PeerReceivedMessage extends PeerMessage {
  readonly messageId: string;
  readonly publishTime: number;
  readonly producerName: string;
}

/** What a peer is asked to produce. */
export interface PeerProduceRequest {
  readonly topic: string;
  readonly batching: boolean;
  readonly compression: CompressionName;
  readonly messages: readonly PeerMessage[];
}

/** What a peer is asked to subscribe to. */
export interface PeerSubscribeRequest {
  readonly topic: string;
  readonly subscription: string;
  readonly type: "Exclusive" | "Shared" | "Failover" | "Key_Shared";
  /** Default: 1000. */
  readonly receiverQueueSize?: number;
}

interface Answer {
  readonly id: number;
  readonly error?: string;
  readonly messageIds?: readonly string[];
  readonly messages?: readonly PeerReceivedMessage[];
}

/** A consumer of a peer. */
export interface PeerConsumer {
  /** Receives and acknowledges up to `count` messages; fewer when none came for `timeoutMs`. */
  receive(count: number, timeoutMs: number): Promise<readonly PeerReceivedMessage[]>;
  close(): Promise<void>;
}

/** Another client's program, driven over its standard input and output as interop/README.md says. */
export class Peer implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  #nextId = 1;
  #errors = "";
  #failure: Error | undefined;

  private constructor(program: PeerCommand) {
    this.#child = spawn(program.command, [...program.args], { stdio: "pipe" });
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#errors = (this.#errors + text).slice(-4000);
    });
    this.#child.stdin.on("error", () => undefined);
    this.#child.once("error", (error) => this.#fail(error));
    this.#child.once("close", (code) => this.#fail(new Error(`the peer ended with ${String(code)}: ${this.#errors}`)));
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#onAnswer(JSON.parse(line) as Answer));
  }

  /** Starts the program and connects it to a broker. */
  static async start(program: PeerCommand, serviceUrl: string): Promise<Peer> {
    const peer = new Peer(program);
    await peer.#request("connect", { serviceUrl });
    return peer;
  }

  /** Produces messages; resolves with the bytes of their ids. */
  async produce(request: PeerProduceRequest): Promise<readonly Buffer[]> {
    const { messageIds = [] } = await this.#request("produce", request);
    return messageIds.map((id) => Buffer.from(id, "base64"));
  }

  async subscribe(request: PeerSubscribeRequest): Promise<PeerConsumer> {
    const consumer = `consumer-${String(this.#nextId)}`;
    await this.#request("subscribe", { receiverQueueSize: 1000, ...request, consumer });
    return {
      receive: async (count, timeoutMs) =>
        (await this.#request("receive", { consumer, count, timeoutMs })).messages ?? [],
      close: async () => {
        await this.#request("close", { consumer });
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#failure !== undefined) return;
    const closed = new Promise((resolve) => this.#child.once("close", resolve));
    this.#child.stdin.end();
    await closed;
  }

  #request(op: string, fields: object): Promise<Answer> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.stdin.write(`${JSON.stringify({ id, op, ...fields })}\n`);
    });
  }

  #onAnswer(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.error === undefined) waiting?.resolve(answer);
    else waiting?.reject(new Error(`the peer answered: ${answer.error}`));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }
}
