import { expect, it } from "vitest";
import { accessSettings, type BrokerSecurity } from "../../src/broker-config/broker-settings.ts";

const open: BrokerSecurity = {
  tls: undefined,
  requireClientCertificate: false,
  authenticateByCertificate: false,
  tokenSecret: undefined,
  authorization: false,
};
const ports = { binary: 1, http: 2, binaryTls: 3, httpTls: 4 };
const tls = { caFile: "ca", server: { certFile: "cert", keyFile: "key" }, clients: {} };

it("opens the plain ports only, to everybody, by default", () => {
  expect(accessSettings(ports, open)).toEqual({ brokerServicePort: 1, webServicePort: 2 });
});

it("opens TLS ports with the instance's certificates", () => {
  expect(accessSettings(ports, { ...open, tls, requireClientCertificate: true })).toMatchObject({
    brokerServicePortTls: 3,
    webServicePortTls: 4,
    tlsCertificateFilePath: "cert",
    tlsKeyFilePath: "key",
    tlsTrustCertsFilePath: "ca",
    tlsRequireTrustedClientCertOnConnect: true,
  });
});

it("asks for tokens and gives the broker one of its own", () => {
  const settings = accessSettings(ports, {
    ...open,
    tokenSecret: Buffer.from("secret"),
    authenticateByCertificate: true,
  });
  expect(settings).toMatchObject({
    authenticationEnabled: true,
    tokenSecretKey: "data:;base64,c2VjcmV0",
    authorizationEnabled: false,
    superUserRoles: "admin",
  });
  expect(String(settings["authenticationProviders"]).split(",")).toHaveLength(2);
  expect(settings["brokerClientAuthenticationParameters"]).toMatch(/^token:ey/u);
});
