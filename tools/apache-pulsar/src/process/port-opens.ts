import { connect } from "node:net";

/** True where something accepts connections on the port of this machine. */
export async function acceptsConnections(port: number, signal: AbortSignal): Promise<boolean> {
  return await new Promise<boolean>((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", signal });
    const done = (accepted: boolean) => (): void => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once("connect", done(true));
    socket.once("error", done(false));
  });
}
