import { connect as connectTcp, isIP, type OnReadOpts, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls, type SecureContext } from "node:tls";
import type { Dialer, Transport, TransportEvents } from "./dialer.ts";

const READ_BUFFER_BYTES = 256 * 1024;
// For each address of a name but the last. Node's 250 ms would rule out a broker that is a third of a second away.
const ADDRESS_TIMEOUT_MS = 2000;

/** TLS as a client may want it. Only used with a `pulsar+ssl://` service URL. */
export interface TlsOptions {
  /** Certificates in PEM form that are trusted instead of Node's own list. */
  readonly ca?: string | Uint8Array | readonly (string | Uint8Array)[] | undefined;
  /** Own certificate chain in PEM form, for mutual TLS. */
  readonly cert?: string | Uint8Array | undefined;
  /** Private key of {@link TlsOptions.cert} in PEM form. */
  readonly key?: string | Uint8Array | undefined;
  /** Passphrase of the key. */
  readonly passphrase?: string | undefined;
  /** A ready-made context, e.g. to limit versions and ciphers; the certificates above are not used then. */
  readonly secureContext?: SecureContext | undefined;
  /** Name asked for (SNI) and checked instead of the host in the service URL. */
  readonly servername?: string | undefined;
  /** Whether the certificate must name the host. Default true. */
  readonly hostnameVerification?: boolean | undefined;
  /** Accepts any certificate whatsoever. Default false; never to be used outside a test bench. */
  readonly allowInsecureConnection?: boolean | undefined;
}

/**
 * Opens TCP sockets, or TLS ones when options for TLS are given. Reads into one buffer per socket, which is reused, and
 * sends small writes without delay.
 */
export function createSocketDialer(tls: TlsOptions | undefined): Dialer {
  return (address, events, signal) =>
    new Promise<Transport>((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const onread = readInto(Buffer.allocUnsafeSlow(READ_BUFFER_BYTES), events);
      const { host, port } = address;
      const target = { host, port, onread, autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS };
      const socket: Socket =
        tls === undefined ? connectTcp(target) : connectTls({ ...target, ...tlsConnectionOptions(address.host, tls) });
      socket.setNoDelay(true);
      let failure: Error | undefined;
      let isConnected = false;
      const onAbort = (): void => {
        socket.destroy();
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", onAbort);
      socket.once(tls === undefined ? "connect" : "secureConnect", () => {
        isConnected = true;
        signal.removeEventListener("abort", onAbort);
        resolve(transportOf(socket));
      });
      socket.on("drain", () => events.onDrain());
      socket.on("error", (error) => {
        failure = error;
      });
      socket.on("close", () => {
        signal.removeEventListener("abort", onAbort);
        if (isConnected) events.onClose(failure);
        else reject(failure ?? new Error("the socket closed while connecting"));
      });
    });
}

function readInto(buffer: Buffer, events: TransportEvents): OnReadOpts {
  return {
    buffer,
    callback: (length) => {
      events.onData(buffer.subarray(0, length));
      return true;
    },
  };
}

function transportOf(socket: Socket): Transport {
  return {
    write: (bytes) => {
      socket.write(bytes);
    },
    cork: () => socket.cork(),
    uncork: () => socket.uncork(),
    get queuedBytes() {
      return socket.writableLength;
    },
    destroy: () => {
      socket.destroy();
    },
  };
}

/** Node's form of the options. The certificate is checked against the name that the user wrote into the service URL. */
function tlsConnectionOptions(host: string, tls: TlsOptions): ConnectionOptions {
  const options: ConnectionOptions = {
    rejectUnauthorized: tls.allowInsecureConnection !== true,
    minVersion: "TLSv1.2",
  };
  // SNI must not carry an address; without a name Node checks the certificate against `host`.
  const servername = tls.servername ?? (isIP(host) === 0 ? host : undefined);
  if (servername !== undefined) options.servername = servername;
  if (tls.hostnameVerification === false) options.checkServerIdentity = () => undefined;
  if (tls.secureContext !== undefined) {
    options.secureContext = tls.secureContext;
    return options;
  }
  if (tls.ca !== undefined) options.ca = mutable(tls.ca);
  if (tls.cert !== undefined) options.cert = asPem(tls.cert);
  if (tls.key !== undefined) options.key = asPem(tls.key);
  if (tls.passphrase !== undefined) options.passphrase = tls.passphrase;
  return options;
}

function mutable(ca: NonNullable<TlsOptions["ca"]>): string | Buffer | (string | Buffer)[] {
  return typeof ca === "string" || ca instanceof Uint8Array ? asPem(ca) : ca.map(asPem);
}

function asPem(pem: string | Uint8Array): string | Buffer {
  return typeof pem === "string" ? pem : Buffer.from(pem);
}
