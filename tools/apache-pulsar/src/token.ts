import { createHmac } from "node:crypto";
import { LauncherError } from "./errors.ts";

/** What a token says besides its subject. */
export interface TokenOptions {
  /** Milliseconds from now until the broker refuses it; 0 or less makes a token that has expired. Default: never. */
  readonly expiresInMs?: number | undefined;
}

/** A JSON Web Token (HS256) for a subject, which the broker takes as the client's role. */
export function createToken(secret: Buffer, subject: string, options: TokenOptions = {}): string {
  if (subject === "") throw new LauncherError("INVALID_OPTION", "the subject of a token must not be empty");
  const nowMs = Date.now();
  const claims = {
    sub: subject,
    iat: Math.floor(nowMs / 1000),
    ...(options.expiresInMs === undefined ? {} : { exp: Math.floor((nowMs + options.expiresInMs) / 1000) }),
  };
  const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
