import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { LauncherError } from "../errors.ts";

/** Ports given out by this process, so that two instances that start at once never get the same one. */
const givenOut = new Set<number>();

/**
 * Completes a table of wanted ports: 0 becomes a port that the system had free a moment ago, a number is kept if it is
 * free now. Throws `INVALID_OPTION` naming the first wanted port that is not.
 */
export async function choosePorts<Name extends string>(
  wanted: Readonly<Record<Name, number>>,
): Promise<Record<Name, number>> {
  const servers: Server[] = [];
  const chosen: Partial<Record<Name, number>> = {};
  try {
    for (const name of Object.keys(wanted) as Name[]) {
      const port = wanted[name];
      let free = 0;
      do {
        const server = await listen(name, port);
        servers.push(server);
        free = (server.address() as AddressInfo).port;
      } while (port === 0 && givenOut.has(free));
      givenOut.add(free);
      chosen[name] = free;
    }
  } finally {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
  return chosen as Record<Name, number>;
}

async function listen(name: string, port: number): Promise<Server> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new LauncherError("INVALID_OPTION", `port ${name} must be an integer from 0 to 65535, was ${String(port)}`);
  }
  const server = createServer();
  server.unref();
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new LauncherError("INVALID_OPTION", `port ${name} cannot be ${port}: ${code ?? String(cause)}`, { cause });
  }
  return server;
}
