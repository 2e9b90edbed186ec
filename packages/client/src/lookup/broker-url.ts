import { parseServiceUrl } from "@pulsewire/protocol";
import type { HostPort } from "../connection/broker-address.ts";
import type { BrokerUrls } from "../connection/connection.ts";
import { LookupError } from "../errors.ts";

/**
 * The address of the broker that an answer or a hint names: the TLS one exactly when the service URL is a TLS one.
 *
 * @throws LookupError when it is missing or no URL
 */
export function selectBrokerUrl(urls: BrokerUrls, usesTls: boolean, topic: string): HostPort {
  const url = usesTls ? urls.brokerServiceUrlTls : urls.brokerServiceUrl;
  if (url === undefined || url === "") {
    throw new LookupError(`the broker names no ${usesTls ? "TLS " : ""}address for the topic`, { topic });
  }
  let host: HostPort | undefined;
  try {
    host = parseServiceUrl(url).hosts[0];
  } catch (cause) {
    throw new LookupError(`the broker names an address that is no URL: ${url}`, { topic, cause });
  }
  if (host === undefined) throw new LookupError(`the broker names an address without a host: ${url}`, { topic });
  return host;
}
