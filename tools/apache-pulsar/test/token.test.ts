import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { createToken } from "../src/token.ts";

const secret = Buffer.from("a secret of 32 bytes, or so it is");
const decode = (part: string | undefined): Record<string, unknown> =>
  JSON.parse(Buffer.from(part ?? "", "base64url").toString()) as Record<string, unknown>;

it("signs header and claims with HMAC-SHA-256", () => {
  const [header, claims, signature] = createToken(secret, "role").split(".");
  expect(decode(header)).toEqual({ alg: "HS256", typ: "JWT" });
  expect(decode(claims)).toEqual({ sub: "role", iat: expect.any(Number) as number });
  expect(signature).toBe(createHmac("sha256", secret).update(`${header}.${claims}`).digest("base64url"));
});

it("says when it expires", () => {
  const { iat, exp } = decode(createToken(secret, "role", { expiresInMs: -5_000 }).split(".")[1]);
  expect(Number(exp) - Number(iat)).toBe(-5);
});

it("refuses an empty subject", () => {
  expect(() => createToken(secret, "")).toThrow("must not be empty");
});
