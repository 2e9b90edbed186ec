import { expect, it } from "vitest";
import { noAuthentication } from "../../src/auth/authentication.ts";
import { TokenAuthentication, type TokenSource } from "../../src/auth/token-authentication.ts";

const request = { host: "broker", challenge: undefined, signal: new AbortController().signal };
const text = async (source: TokenSource): Promise<string> =>
  Buffer.from(await new TokenAuthentication(source).getAuthData(request)).toString();

it("gives the token, or what the function gives each time it is asked", async () => {
  expect(await text("abc")).toBe("abc");
  expect(await text(() => "now")).toBe("now");
  expect(await text(async ({ host }) => `for ${host}`)).toBe("for broker");
});

it.each(["", undefined, 5])("refuses %s for a token", async (token) => {
  await expect(text(() => token as string)).rejects.toThrow(TypeError);
});

it("is empty for no authentication", async () => {
  expect(noAuthentication.methodName).toBe("none");
  expect(await noAuthentication.getAuthData(request)).toEqual(new Uint8Array());
});
