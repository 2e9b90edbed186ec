import type { Authentication, AuthenticationRequest } from "./authentication.ts";

/** A token, or a function that gives the present one. It is called for each connection and each renewal. */
export type TokenSource = string | ((request: AuthenticationRequest) => string | Promise<string>);

/**
 * Authentication with a token, e.g. a JSON web token.
 *
 * With a function the token is renewed in place: when it expires the broker asks, and the answer of the function is sent
 * on the same connection.
 */
export class TokenAuthentication implements Authentication {
  readonly methodName = "token";
  readonly #source: TokenSource;

  constructor(token: TokenSource) {
    this.#source = token;
  }

  async getAuthData(request: AuthenticationRequest): Promise<Uint8Array> {
    const token: unknown = typeof this.#source === "string" ? this.#source : await this.#source(request);
    if (typeof token !== "string" || token === "")
      throw new TypeError("the token must be a text of at least one character");
    return Buffer.from(token, "utf8");
  }
}
