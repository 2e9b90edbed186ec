import { createHash, generateKeyPair, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";
import { promisify } from "node:util";
import * as der from "./der.ts";

const dayMs = 86_400_000;
const validDays = 365;

/** sha256WithRSAEncryption: RSA is what every client of every language and its TLS library takes. */
const signatureAlgorithm = der.sequence(der.objectIdentifier("1.2.840.113549.1.1.11"), der.nothing);

/** Bits of the key usage extension (RFC 5280, 4.2.1.3), as the byte that holds them. */
const keyUsage = { digitalSignatureAndKeyEncipherment: 0xa0, certificateAndListSigning: 0x06 } as const;

const purpose = { server: "1.3.6.1.5.5.7.3.1", client: "1.3.6.1.5.5.7.3.2" } as const;

/** A certificate with its private key, both as PEM text (the key as PKCS #8). */
export interface CertificatePem {
  readonly certificate: string;
  readonly key: string;
}

/** A certificate authority that lives as long as its object: its key is never written anywhere. */
export interface CertificateAuthority {
  /** Its own certificate as PEM text, for clients and brokers to trust. */
  readonly certificate: string;
  /** A certificate for a server that answers to these host names and IP addresses. */
  issueServer(hostNames: readonly string[]): Promise<CertificatePem>;
  /** A certificate for a client; the broker takes the common name as the client's role. */
  issueClient(commonName: string): Promise<CertificatePem>;
}

interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

interface CertificateContent {
  readonly subject: string;
  readonly subjectKey: KeyObject;
  readonly issuer: string;
  readonly issuerKeys: KeyPair;
  readonly extensions: readonly Buffer[];
}

/** Makes a certificate authority (RSA 2048, X.509 version 3, valid from yesterday for a year). */
export async function createCertificateAuthority(): Promise<CertificateAuthority> {
  const authorityKeys = await newKeys();
  const authorityName = "Pulsewire test authority";
  const issue = async (commonName: string, extensions: readonly Buffer[]): Promise<CertificatePem> => {
    const keys = await newKeys();
    const certificate = createCertificate({
      subject: commonName,
      subjectKey: keys.publicKey,
      issuer: authorityName,
      issuerKeys: authorityKeys,
      extensions: [
        extension("2.5.29.19", der.sequence(), "critical"),
        extension(
          "2.5.29.15",
          der.bitString(Buffer.from([keyUsage.digitalSignatureAndKeyEncipherment]), 5),
          "critical",
        ),
        extension("2.5.29.35", der.sequence(der.implicit(0, keyIdentifier(authorityKeys.publicKey)))),
        ...extensions,
      ],
    });
    return { certificate, key: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
  };
  return {
    certificate: createCertificate({
      subject: authorityName,
      subjectKey: authorityKeys.publicKey,
      issuer: authorityName,
      issuerKeys: authorityKeys,
      extensions: [
        extension("2.5.29.19", der.sequence(der.booleanTrue), "critical"),
        extension("2.5.29.15", der.bitString(Buffer.from([keyUsage.certificateAndListSigning]), 1), "critical"),
        extension("2.5.29.14", der.octetString(keyIdentifier(authorityKeys.publicKey))),
      ],
    }),
    issueServer: async (hostNames) =>
      await issue(hostNames[0] ?? "localhost", [extendedKeyUsage(purpose.server), alternativeNames(hostNames)]),
    issueClient: async (commonName) => await issue(commonName, [extendedKeyUsage(purpose.client)]),
  };
}

async function newKeys(): Promise<KeyPair> {
  return await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
}

/** Certificate (RFC 5280, 4.1): what is to be signed, the algorithm once more, the signature. */
function createCertificate(content: CertificateContent): string {
  const now = Date.now();
  const serialNumber = randomBytes(16);
  serialNumber[0] = 0x40 | ((serialNumber[0] ?? 0) & 0x3f);
  const signed = der.sequence(
    der.explicit(0, der.integer(Buffer.from([2]))),
    der.integer(serialNumber),
    signatureAlgorithm,
    distinguishedName(content.issuer),
    der.sequence(der.generalizedTime(new Date(now - dayMs)), der.generalizedTime(new Date(now + validDays * dayMs))),
    distinguishedName(content.subject),
    content.subjectKey.export({ type: "spki", format: "der" }),
    der.explicit(3, der.sequence(...content.extensions)),
  );
  const signature = sign("sha256", signed, content.issuerKeys.privateKey);
  const whole = der.sequence(signed, signatureAlgorithm, der.bitString(signature));
  const lines = whole.toString("base64").match(/.{1,64}/gu) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

function distinguishedName(commonName: string): Buffer {
  return der.sequence(der.set(der.sequence(der.objectIdentifier("2.5.4.3"), der.utf8String(commonName))));
}

function extension(id: string, content: Buffer, critical?: "critical"): Buffer {
  const flag = critical === undefined ? [] : [der.booleanTrue];
  return der.sequence(der.objectIdentifier(id), ...flag, der.octetString(content));
}

function extendedKeyUsage(id: string): Buffer {
  return extension("2.5.29.37", der.sequence(der.objectIdentifier(id)));
}

function alternativeNames(hostNames: readonly string[]): Buffer {
  const names = hostNames.map((name) =>
    isIP(name) === 0 ? der.implicit(2, Buffer.from(name, "latin1")) : der.implicit(7, der.ipAddressBytes(name)),
  );
  return extension("2.5.29.17", der.sequence(...names));
}

function keyIdentifier(key: KeyObject): Buffer {
  return createHash("sha1")
    .update(key.export({ type: "spki", format: "der" }))
    .digest();
}
