import { fork, spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { onEachBroker } from "../../src/suite/on-each-broker.ts";

function program(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

onEachBroker("resources", (behaviour) => {
  behaviour("a process that has closed its client ends by itself, with nothing left open", async (context) => {
    const args = [program("round-trip.mjs"), context.broker.serviceUrl, context.topic];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    const output = await text(child.stdout);
    expect(await ended).toBe(0);
    const {
      closed,
      ended: left,
      exitMs,
    } = JSON.parse(output) as {
      readonly closed: readonly string[];
      readonly ended: readonly string[];
      readonly exitMs: number;
    };
    // Sockets need a turn to be gone; timers do not.
    expect(closed).not.toContain("Timeout");
    expect(left).not.toContain("TCPSocketWrap");
    expect(left).not.toContain("Timeout");
    expect(exitMs).toBeLessThan(2000);
  });

  behaviour("the heap does not grow over 300 reconnects", async (context) => {
    const proxy = await context.startProxy();
    const args = [proxy.serviceUrl, context.topic];
    const child = fork(program("reconnects.mjs"), args, { execArgv: ["--expose-gc"] });
    context.onEnd(async () => child.kill());
    const heaps = await new Promise<readonly number[]>((resolve, reject) => {
      child.once("close", (code) => reject(new Error(`the program ended with ${String(code)}`)));
      child.on("message", (message) => {
        if (message === "cut") proxy.cutAll();
        else resolve((message as { readonly heaps: readonly number[] }).heaps);
      });
    });
    const [, second = 0] = heaps;
    const last = heaps.at(-1) ?? Number.POSITIVE_INFINITY;
    expect(last - second, heaps.join(", ")).toBeLessThan(1024 * 1024);
  });
});
