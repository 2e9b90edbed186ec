import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer, type TLSSocket } from "node:tls";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type CertificateAuthority,
  type CertificatePem,
  createCertificateAuthority,
} from "../../src/tls/certificates.ts";

let authority: CertificateAuthority;
let server: CertificatePem;
beforeAll(async () => {
  authority = await createCertificateAuthority();
  server = await authority.issueServer(["localhost", "127.0.0.1", "::1"]);
});

describe("a server certificate", () => {
  it("names all hosts and addresses and is signed by the authority", () => {
    const ca = new X509Certificate(authority.certificate);
    const certificate = new X509Certificate(server.certificate);
    expect(certificate.subjectAltName).toBe("DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1");
    expect(certificate.checkIssued(ca)).toBe(true);
    expect(certificate.verify(ca.publicKey)).toBe(true);
    expect(certificate.ca).toBe(false);
    expect(ca.ca).toBe(true);
    expect(new Date(certificate.validFrom).getTime()).toBeLessThan(Date.now());
    expect(new Date(certificate.validTo).getTime()).toBeGreaterThan(Date.now());
  });

  it("convinces a TLS client that trusts the authority, and a client certificate its server", async () => {
    const client = await authority.issueClient("admin");
    const listener = createServer({
      cert: server.certificate,
      key: server.key,
      ca: authority.certificate,
      requestCert: true,
      rejectUnauthorized: true,
    }).listen(0, "127.0.0.1");
    await once(listener, "listening");
    const { port } = listener.address() as AddressInfo;
    const accepted = once(listener, "secureConnection");
    const socket = connect({
      port,
      host: "127.0.0.1",
      ca: authority.certificate,
      cert: client.certificate,
      key: client.key,
    });
    await once(socket, "secureConnect");
    const [peer] = (await accepted) as [TLSSocket];
    expect(socket.authorized).toBe(true);
    expect(peer.getPeerCertificate().subject.CN).toBe("admin");
    socket.destroy();
    listener.close();
  });

  it("does not convince a client that trusts another authority", async () => {
    const other = await createCertificateAuthority();
    expect(new X509Certificate(server.certificate).verify(new X509Certificate(other.certificate).publicKey)).toBe(
      false,
    );
  });
});
