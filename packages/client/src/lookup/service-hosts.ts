import type { HostPort } from "../connection/broker-address.ts";
import type { Random } from "../util/clock.ts";

/**
 * The hosts of a service URL, of which one is asked at a time. The first is chosen at random, so that many clients with
 * the same URL spread over all hosts; a host that fails makes way for the next.
 */
export class ServiceHosts {
  readonly #hosts: readonly HostPort[];
  #index: number;

  /** @param hosts at least one */
  constructor(hosts: readonly HostPort[], random: Random) {
    this.#hosts = hosts;
    this.#index = Math.floor(random() * hosts.length);
  }

  /** Number of hosts. */
  get count(): number {
    return this.#hosts.length;
  }

  /** The host to ask now. */
  get current(): HostPort {
    const host = this.#hosts[this.#index];
    if (host === undefined) throw new RangeError("a service URL has at least one host");
    return host;
  }

  /** Event: a host did not answer, or had too much to do. Others that saw the same do not skip a further one. */
  onFailed(host: HostPort): void {
    if (host === this.current) this.#index = (this.#index + 1) % this.#hosts.length;
  }
}
