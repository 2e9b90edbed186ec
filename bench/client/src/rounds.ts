import type { Case } from "./cases.ts";
import type { Job, Outcome } from "./job.ts";
import type { Peer } from "./peers.ts";
import { type Summary, summarise } from "./summary.ts";

/** How much to measure. */
export interface Rounds {
  readonly rounds: number;
  readonly seconds: number;
}

const WARM_UP_MESSAGES = 50_000;

/** Measures a case: in each round every client once, in turn, so that all meet the same machine and broker. */
export async function measureCase(
  each: Case,
  peers: readonly Peer[],
  serviceUrl: string,
  { rounds, seconds }: Rounds,
): Promise<Summary[]> {
  const topic = `persistent://public/default/bench-${each.name}-${Date.now()}`;
  const job: Job = {
    kind: each.kind,
    serviceUrl,
    topic,
    subscription: "",
    sizeBytes: each.sizeBytes,
    batched: each.batched,
    openSends: each.openSends,
    warmUpMessages: 0,
    warmUpSeconds: 1,
    messages: 0,
    seconds,
  };
  if (each.kind === "consume") await fill(job, each.stored, peers);
  const outcomes = new Map<string, Outcome[]>(peers.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const peer of peers) {
      const outcome = await peer.run(
        each.kind === "produce" ? job : consuming(job, each.stored, `${peer.name}-${round}`),
      );
      outcomes.get(peer.name)?.push(outcome);
      const rate = (outcome.messages / outcome.seconds / 1000).toFixed(1);
      console.error(`${each.name}, round ${round}, ${peer.name}: ${rate} k msg/s`);
    }
  }
  return peers.map(({ name }) => summarise(name, outcomes.get(name) ?? []));
}

function consuming(job: Job, stored: number, subscription: string): Job {
  return {
    ...job,
    subscription,
    warmUpMessages: WARM_UP_MESSAGES,
    warmUpSeconds: 0,
    // The rest of a batch at the end may never fill a queue: leave it.
    messages: stored - WARM_UP_MESSAGES - 2000,
  };
}

/** Fills a topic; by Go where it is there, so that the entries do not depend on our own client. */
async function fill(job: Job, messages: number, peers: readonly Peer[]): Promise<void> {
  const filler = peers.find(({ name }) => name === "go") ?? peers[0];
  if (filler === undefined) throw new Error("no client to fill a topic with");
  await filler.run({
    ...job,
    kind: "produce",
    warmUpMessages: 1,
    warmUpSeconds: 0,
    messages,
    seconds: 0,
    openSends: 10_000,
  });
}
