import { AdminClient } from "./admin/admin-client.ts";
import { LauncherError } from "./errors.ts";
import { startStandalone } from "./standalone/standalone.ts";
import type { StandaloneOptions } from "./standalone/standalone-options.ts";

/** The one Apache Pulsar of a test run. */
export interface SharedPulsar extends AsyncDisposable {
  /** `pulsar://host:port`. */
  readonly serviceUrl: string;
  /** `http://host:port` of admin REST. */
  readonly adminUrl: string;
  /** `ws://host:port`, to which `/ws/v2/...` is added. */
  readonly webSocketUrl: string;
  readonly admin: AdminClient;
  /** True where it was there before: somebody else's, or started earlier in this test run. */
  readonly isExternal: boolean;
  /** Ends it where this call started it, else does nothing. */
  close(): Promise<void>;
}

const variables = ["PULSAR_SERVICE_URL", "PULSAR_ADMIN_URL", "PULSAR_WEBSOCKET_URL"] as const;

/**
 * The Apache Pulsar named by `PULSAR_SERVICE_URL` and `PULSAR_ADMIN_URL` (and `PULSAR_WEBSOCKET_URL`, else derived from the admin URL,
 * and `PULSAR_TOKEN`), where they are set. Else a standalone one is started and these variables are set to it until it is closed, so that processes started
 * from here (the workers of a test run) find it by the same call. Meant for a `globalSetup` of vitest:
 *
 * ```ts
 * export default async () => { const pulsar = await acquireShared(); return () => pulsar.close(); };
 * ```
 */
export async function acquireShared(options: StandaloneOptions = {}): Promise<SharedPulsar> {
  const { PULSAR_SERVICE_URL: serviceUrl, PULSAR_ADMIN_URL: adminUrl } = process.env;
  if (serviceUrl && adminUrl) return external(serviceUrl, adminUrl);
  if (serviceUrl || adminUrl) {
    const missing = serviceUrl ? "PULSAR_ADMIN_URL" : "PULSAR_SERVICE_URL";
    throw new LauncherError(
      "INVALID_OPTION",
      `set PULSAR_SERVICE_URL and PULSAR_ADMIN_URL together; ${missing} is not set`,
    );
  }
  const standalone = await startStandalone(options);
  process.env["PULSAR_SERVICE_URL"] = standalone.serviceUrl;
  process.env["PULSAR_ADMIN_URL"] = standalone.adminUrl;
  process.env["PULSAR_WEBSOCKET_URL"] = standalone.webSocketUrl;
  if (standalone.adminToken !== undefined) process.env["PULSAR_TOKEN"] = standalone.adminToken;
  const close = async (): Promise<void> => {
    for (const variable of variables) delete process.env[variable];
    if (standalone.adminToken !== undefined) delete process.env["PULSAR_TOKEN"];
    await standalone.close();
  };
  const { webSocketUrl, admin } = standalone;
  return {
    serviceUrl: standalone.serviceUrl,
    adminUrl: standalone.adminUrl,
    webSocketUrl,
    admin,
    isExternal: false,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function external(serviceUrl: string, adminUrl: string): SharedPulsar {
  const close = async (): Promise<void> => undefined;
  return {
    serviceUrl,
    adminUrl,
    webSocketUrl: process.env["PULSAR_WEBSOCKET_URL"] || adminUrl.replace(/^http/u, "ws"),
    admin: new AdminClient(adminUrl, { token: process.env["PULSAR_TOKEN"] }),
    isExternal: true,
    close,
    [Symbol.asyncDispose]: close,
  };
}
