import type { KeyFiles, TlsFiles } from "../tls/tls-files.ts";

/** What an instance must find again when it is started once more from its folder. */
export interface InstanceMemory {
  /** Ports by name: those of bookie and ZooKeeper are written into the data and cannot change. */
  readonly ports: Readonly<Record<string, number>>;
  /** Secret of the tokens, base64. */
  readonly tokenSecret: string | undefined;
  readonly tls: TlsFiles | undefined;
}

/** Reads a memory from parsed JSON; undefined where it is none. */
export function toInstanceMemory(json: unknown): InstanceMemory | undefined {
  if (!isRecord(json) || !isRecord(json["ports"])) return undefined;
  const ports = Object.entries(json["ports"]).filter((entry): entry is [string, number] => Number.isInteger(entry[1]));
  const secret = json["tokenSecret"];
  return {
    ports: Object.fromEntries(ports),
    tokenSecret: typeof secret === "string" ? secret : undefined,
    tls: toTlsFiles(json["tls"]),
  };
}

function toTlsFiles(json: unknown): TlsFiles | undefined {
  if (!isRecord(json) || typeof json["caFile"] !== "string" || !isKeyFiles(json["server"])) return undefined;
  const clients = isRecord(json["clients"]) ? Object.entries(json["clients"]) : [];
  return {
    caFile: json["caFile"],
    server: json["server"],
    clients: Object.fromEntries(clients.filter((entry): entry is [string, KeyFiles] => isKeyFiles(entry[1]))),
  };
}

function isKeyFiles(json: unknown): json is KeyFiles {
  return isRecord(json) && typeof json["certFile"] === "string" && typeof json["keyFile"] === "string";
}

function isRecord(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
