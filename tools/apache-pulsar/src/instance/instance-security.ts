import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { BrokerSecurity } from "../broker-config/broker-settings.ts";
import type { StartOptions, TlsOptions } from "../standalone/standalone-options.ts";
import { createTlsFiles } from "../tls/tls-files.ts";
import type { InstanceMemory } from "./instance-memory.ts";

/** Makes the certificates and the token secret that the options ask for, or takes those of an earlier start. */
export async function createSecurity(
  options: StartOptions,
  folder: string,
  memory: InstanceMemory | undefined,
): Promise<BrokerSecurity> {
  const tls: TlsOptions | undefined = options.tls === true ? {} : options.tls === false ? undefined : options.tls;
  const authenticateByCertificate = tls?.authenticate ?? false;
  const withTokens = options.auth === true || options.authorization === true || authenticateByCertificate;
  const secret = memory?.tokenSecret === undefined ? randomBytes(32) : Buffer.from(memory.tokenSecret, "base64");
  return {
    tls: tls === undefined ? undefined : (memory?.tls ?? (await createTlsFiles(join(folder, "tls"), tls))),
    requireClientCertificate: tls?.requireClientCertificate ?? false,
    authenticateByCertificate,
    tokenSecret: withTokens ? secret : undefined,
    authorization: options.authorization ?? false,
  };
}
