import { open, stat } from "node:fs/promises";

/** The size of a file in bytes, 0 where there is none. */
export async function fileSize(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    return 0;
  }
}

/** The text of a file from a position on, of which at most the last `maxBytes` are read; empty where there is none. */
export async function readFrom(file: string, position: number, maxBytes: number = 256 * 1024): Promise<string> {
  try {
    const handle = await open(file, "r");
    try {
      const { size } = await handle.stat();
      const start = Math.max(position, size - maxBytes, 0);
      const buffer = Buffer.alloc(Math.max(size - start, 0));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, start);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return "";
  }
}

/** The last lines of a text that are not empty, each cut at 300 characters. */
export function lastLines(text: string, count: number): string {
  const lines = text.split(/\r?\n/u).filter((line) => line.trim() !== "");
  return lines
    .slice(-count)
    .map((line) => (line.length > 300 ? `${line.slice(0, 300)}...` : line))
    .join("\n");
}

/** True where a log tells that a port was taken by somebody else. */
export function tellsBindClash(log: string): boolean {
  return /BindException|Address already in use|address already in use|Failed to bind to/u.test(log);
}
