import {
  type Command,
  type CommandConnected,
  DEFAULT_MAX_MESSAGE_SIZE_BYTES,
  encodeCommand,
  type FeatureFlags,
} from "@pulsewire/protocol";
import type { Authentication } from "../auth/authentication.ts";
import { AuthenticationError, ConnectError, type PulsarError } from "../errors.ts";
import { fromServerError } from "../server-errors.ts";
import { type BrokerAddress, formatHostPort, isProxied } from "./broker-address.ts";
import { CLIENT_VERSION, PROTOCOL_VERSION } from "./client-version.ts";

/** What both sides agreed on. */
export interface HandshakeResult {
  readonly serverVersion: string;
  readonly protocolVersion: number;
  readonly maxMessageSizeBytes: number;
  readonly features: FeatureFlags;
}

/** What a handshake needs. */
export interface HandshakeOptions {
  readonly address: BrokerAddress;
  readonly authentication: Authentication;
  readonly signal: AbortSignal;
  /** Sends a frame. */
  readonly write: (frame: Uint8Array) => void;
  /** CONNECTED came. This or {@link HandshakeOptions.onFailed} is called, once, before the next frame is looked at. */
  readonly onConnected: (result: HandshakeResult) => void;
  readonly onFailed: (error: PulsarError) => void;
}

// What Java says of itself. supports_topic_watchers is a broker's answer, not a client's claim.
const CLIENT_FEATURES: FeatureFlags = {
  supportsAuthRefresh: true,
  supportsBrokerEntryMetadata: true,
  supportsPartialProducer: true,
  supportsGetPartitionedMetadataWithoutAutoCreation: true,
  supportsReplDedupByLidAndEid: true,
};

/**
 * The opening of a connection: CONNECT, any number of AUTH_CHALLENGE and AUTH_RESPONSE, CONNECTED. Takes the commands
 * that come meanwhile and calls back once; deadlines are its owner's business.
 */
export class Handshake {
  readonly #options: HandshakeOptions;
  #isOver = false;

  constructor(options: HandshakeOptions) {
    this.#options = options;
  }

  /** Sends CONNECT as soon as the credentials are there. */
  async start(): Promise<void> {
    const { authentication, address, signal, write } = this.#options;
    try {
      const authData = await credentials(authentication, address, undefined, signal);
      if (this.#isOver) return;
      write(
        encodeCommand("CONNECT", {
          clientVersion: CLIENT_VERSION,
          authMethodName: authentication.methodName,
          authData,
          protocolVersion: PROTOCOL_VERSION,
          proxyToBrokerUrl: isProxied(address) ? formatHostPort(address.logical) : undefined,
          featureFlags: CLIENT_FEATURES,
        }),
      );
    } catch (error) {
      this.#fail(error as PulsarError);
    }
  }

  /** Event: a command came before the handshake was over. */
  onCommand(command: Command): void {
    if (command.type === "CONNECTED") this.#onConnected(command.body);
    else if (command.type === "AUTH_CHALLENGE") void this.#answer(command.body.challenge?.authData);
    else if (command.type === "ERROR") this.#fail(fromServerError(command.body.error, command.body.message));
    else this.#fail(new ConnectError(`the broker sent ${command.type} before CONNECTED`));
  }

  /** Event: the connection ended first. Nothing is sent or called back any more. */
  stop(): void {
    this.#isOver = true;
  }

  #onConnected({ serverVersion, protocolVersion, maxMessageSize, featureFlags }: CommandConnected): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.onConnected({
      serverVersion,
      protocolVersion: protocolVersion ?? 0,
      maxMessageSizeBytes:
        maxMessageSize !== undefined && maxMessageSize > 0 ? maxMessageSize : DEFAULT_MAX_MESSAGE_SIZE_BYTES,
      features: featureFlags ?? {},
    });
  }

  #fail(error: PulsarError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.onFailed(error);
  }

  async #answer(challenge: Uint8Array | undefined): Promise<void> {
    const { authentication, address, signal, write } = this.#options;
    try {
      const frame = await encodeAuthResponse(authentication, address, challenge, signal);
      if (!this.#isOver) write(frame);
    } catch (error) {
      this.#fail(error as PulsarError);
    }
  }
}

/** The frame that answers an AUTH_CHALLENGE. Rejects with AuthenticationError when there are no credentials. */
export async function encodeAuthResponse(
  authentication: Authentication,
  address: BrokerAddress,
  challenge: Uint8Array | undefined,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const authData = await credentials(authentication, address, challenge, signal);
  return encodeCommand("AUTH_RESPONSE", {
    clientVersion: CLIENT_VERSION,
    protocolVersion: PROTOCOL_VERSION,
    response: { authMethodName: authentication.methodName, authData },
  });
}

async function credentials(
  authentication: Authentication,
  address: BrokerAddress,
  challenge: Uint8Array | undefined,
  signal: AbortSignal,
): Promise<Uint8Array> {
  try {
    const data: unknown = await authentication.getAuthData({ host: address.physical.host, challenge, signal });
    if (!(data instanceof Uint8Array)) throw new TypeError("getAuthData must give a Uint8Array");
    return data;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AuthenticationError(`no credentials for method ${authentication.methodName}: ${reason}`, { cause });
  }
}
