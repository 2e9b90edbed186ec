import type { Consumer, Producer, Reader } from "@pulsewire/client";

/** What has a state, whatever it carries. */
type Stateful = Pick<Producer<unknown>, "on"> | Pick<Consumer<unknown>, "on"> | Pick<Reader<unknown>, "on">;

/** Resolves when a producer, consumer or reader next enters a state. */
export async function nextState(of: Stateful, wanted: "ready" | "reconnecting" | "failed" | "closed"): Promise<void> {
  await new Promise<void>((resolve) => {
    const listen = of.on as Pick<Producer<unknown>, "on">["on"];
    const remove = listen.call(of, "stateChange", (change: { readonly state: string }) => {
      if (change.state !== wanted) return;
      remove();
      resolve();
    });
  });
}
