import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LauncherError } from "../errors.ts";
import { type CertificatePem, createCertificateAuthority } from "./certificates.ts";

/** Paths of a certificate and its private key, both PEM. */
export interface KeyFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Paths of everything that a TLS client or broker of one instance needs. */
export interface TlsFiles {
  /** The authority that signed all the others: what a client has to trust. */
  readonly caFile: string;
  /** The broker's certificate. */
  readonly server: KeyFiles;
  /** Client certificates by common name. */
  readonly clients: Readonly<Record<string, KeyFiles>>;
}

/** What {@link createTlsFiles} makes. */
export interface TlsFilesOptions {
  /** Names and addresses of the server certificate. Default: `localhost`, `127.0.0.1`, `::1`. */
  readonly hostNames?: readonly string[] | undefined;
  /** Common names of the client certificates, letters, digits, `.`, `_` and `-` only. Default: `admin`, `client`. */
  readonly clients?: readonly string[] | undefined;
}

/** Writes a new authority's certificate, a server certificate and client certificates into a folder. */
export async function createTlsFiles(folder: string, options: TlsFilesOptions = {}): Promise<TlsFiles> {
  const clientNames = options.clients ?? ["admin", "client"];
  const wrong = clientNames.find((name) => !/^[\w.-]+$/u.test(name));
  if (wrong !== undefined) {
    throw new LauncherError("INVALID_OPTION", `tls.clients must be letters, digits, ".", "_" and "-", was "${wrong}"`);
  }
  await mkdir(folder, { recursive: true });
  const write = async (name: string, pem: CertificatePem): Promise<KeyFiles> => {
    const files = { certFile: join(folder, `${name}.pem`), keyFile: join(folder, `${name}-key.pem`) };
    await writeFile(files.certFile, pem.certificate);
    await writeFile(files.keyFile, pem.key, { mode: 0o600 });
    return files;
  };
  const authority = await createCertificateAuthority();
  const caFile = join(folder, "ca.pem");
  await writeFile(caFile, authority.certificate);
  const server = await authority.issueServer(options.hostNames ?? ["localhost", "127.0.0.1", "::1"]);
  const clients = await Promise.all(
    clientNames.map(async (name) => [name, await write(`client-${name}`, await authority.issueClient(name))] as const),
  );
  return { caFile, server: await write("server", server), clients: Object.fromEntries(clients) };
}
