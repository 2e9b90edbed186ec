import { connect } from "node:net";

/** The answer of a ZooKeeper of this machine to its command `dump`: sessions and their ephemeral nodes. Empty where there is none. */
export async function dumpSessions(port: number, signal: AbortSignal): Promise<string> {
  return await new Promise<string>((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", signal });
    let answer = "";
    socket.setEncoding("latin1");
    socket.once("connect", () => socket.write("dump"));
    socket.on("data", (text: string) => {
      answer += text;
    });
    socket.once("error", () => resolve(""));
    socket.once("close", () => resolve(answer));
  });
}

/** True where a session of the dump holds the ephemeral node. */
export function holdsNode(dump: string, path: string): boolean {
  return dump.split(/\r?\n/u).some((line) => line.trim() === path);
}
