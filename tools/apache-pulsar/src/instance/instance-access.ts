import { adminRole, type BrokerSecurity } from "../broker-config/broker-settings.ts";
import { LauncherError } from "../errors.ts";
import type { TlsFiles } from "../tls/tls-files.ts";
import { createToken, type TokenOptions } from "../token.ts";

/** What clients need to be let in. */
export interface InstanceAccess {
  /** Certificates, undefined without TLS. */
  readonly tls: TlsFiles | undefined;
  /** A token of the role `admin`, undefined without `auth`. */
  readonly adminToken: string | undefined;
  /** A token for a role. Throws `INVALID_STATE` where the instance was started without `auth`. */
  token(subject: string, options?: TokenOptions): string;
}

/** The access that goes with a broker's security. */
export function createAccess(security: BrokerSecurity): InstanceAccess {
  const { tls, tokenSecret } = security;
  return {
    tls,
    adminToken: tokenSecret === undefined ? undefined : createToken(tokenSecret, adminRole),
    token: (subject, options) => {
      if (tokenSecret === undefined)
        throw new LauncherError("INVALID_STATE", "the broker was started without auth: true");
      return createToken(tokenSecret, subject, options);
    },
  };
}
