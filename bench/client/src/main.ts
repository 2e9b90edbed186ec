import { parsePlan } from "./arguments.ts";
import { startBroker } from "./broker.ts";
import { measureMemory } from "./memory.ts";
import { type Peer, preparePeer } from "./peers.ts";
import { measureCase } from "./rounds.ts";
import { renderCase } from "./summary.ts";

const plan = parsePlan(process.argv.slice(2));
const peers: Peer[] = [];
for (const name of plan.peers) {
  try {
    peers.push(await preparePeer(name));
  } catch (error) {
    if (name === "pulsewire") throw error;
    console.error(`without ${name}: ${String(error)}`);
  }
}
const broker = plan.serviceUrl === undefined ? await startBroker() : undefined;
try {
  const serviceUrl = plan.serviceUrl ?? broker?.serviceUrl ?? "";
  for (const each of plan.cases) console.log(renderCase(each, await measureCase(each, peers, serviceUrl, plan)));
  if (plan.withMemory) console.log(await measureMemory(serviceUrl));
} finally {
  await broker?.close();
}
