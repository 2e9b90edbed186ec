import type { TlsFiles } from "../tls/tls-files.ts";
import { createToken } from "../token.ts";
import type { Settings } from "./properties-text.ts";

/** Ports of one broker; the TLS ones are there where TLS is on. */
export interface BrokerPorts {
  readonly binary: number;
  readonly http: number;
  readonly binaryTls?: number | undefined;
  readonly httpTls?: number | undefined;
}

/** How clients prove who they are, resolved. */
export interface BrokerSecurity {
  readonly tls: TlsFiles | undefined;
  /** Refuse a TLS connection without a client certificate. */
  readonly requireClientCertificate: boolean;
  /** Take the common name of a client certificate as its role. */
  readonly authenticateByCertificate: boolean;
  /** Secret of the tokens, where token authentication is on. */
  readonly tokenSecret: Buffer | undefined;
  /** Also ask, per namespace, what a role may do. */
  readonly authorization: boolean;
}

/** The role that may do everything. */
export const adminRole = "admin";

/** What standalone and cluster brokers have in common: every feature on that a client can see. */
export const featureSettings: Settings = {
  bindAddress: "127.0.0.1",
  advertisedAddress: "127.0.0.1",
  webSocketServiceEnabled: true,
  allowAutoTopicCreation: true,
  allowAutoTopicCreationType: "non-partitioned",
  brokerDeleteInactiveTopicsEnabled: false,
  managedLedgerDefaultEnsembleSize: 1,
  managedLedgerDefaultWriteQuorum: 1,
  managedLedgerDefaultAckQuorum: 1,
  acknowledgmentAtBatchIndexLevelEnabled: true,
  transactionCoordinatorEnabled: true,
  systemTopicEnabled: true,
  topicLevelPoliciesEnabled: true,
  exposingBrokerEntryMetadataToClientEnabled: true,
  brokerEntryMetadataInterceptors:
    "org.apache.pulsar.common.intercept.AppendBrokerTimestampMetadataInterceptor,org.apache.pulsar.common.intercept.AppendIndexMetadataInterceptor",
  // Without it on broker and bookie alike, messages in chunks of 5 MiB hang.
  nettyMaxFrameSizeBytes: 5_253_120,
  // The quiet period at shutdown is a part of it: 60 s, the default, make every stop last 5 s.
  brokerShutdownTimeoutMs: 10_000,
};

/** Settings for the ports of a broker and for how its clients prove who they are. */
export function accessSettings(ports: BrokerPorts, security: BrokerSecurity): Settings {
  return {
    brokerServicePort: ports.binary,
    webServicePort: ports.http,
    ...tlsSettings(ports, security),
    ...authenticationSettings(security),
  };
}

function tlsSettings(ports: BrokerPorts, security: BrokerSecurity): Settings {
  const { tls } = security;
  if (tls === undefined || ports.binaryTls === undefined || ports.httpTls === undefined) return {};
  return {
    brokerServicePortTls: ports.binaryTls,
    webServicePortTls: ports.httpTls,
    tlsCertificateFilePath: tls.server.certFile,
    tlsKeyFilePath: tls.server.keyFile,
    tlsTrustCertsFilePath: tls.caFile,
    brokerClientTrustCertsFilePath: tls.caFile,
    tlsRequireTrustedClientCertOnConnect: security.requireClientCertificate,
  };
}

function authenticationSettings(security: BrokerSecurity): Settings {
  const { tokenSecret } = security;
  if (tokenSecret === undefined) return {};
  const providers = [
    "org.apache.pulsar.broker.authentication.AuthenticationProviderToken",
    ...(security.authenticateByCertificate
      ? ["org.apache.pulsar.broker.authentication.AuthenticationProviderTls"]
      : []),
  ];
  return {
    authenticationEnabled: true,
    authenticationProviders: providers.join(","),
    tokenSecretKey: `data:;base64,${tokenSecret.toString("base64")}`,
    brokerClientAuthenticationPlugin: "org.apache.pulsar.client.impl.auth.AuthenticationToken",
    brokerClientAuthenticationParameters: `token:${createToken(tokenSecret, adminRole)}`,
    authorizationEnabled: security.authorization,
    superUserRoles: adminRole,
  };
}
