import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { get } from "node:https";
import { connect } from "node:tls";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AdminClient, type Standalone, startStandalone } from "../../src/index.ts";

let pulsar: Standalone;
beforeAll(async () => {
  pulsar = await startStandalone({ tls: { authenticate: true }, auth: true });
});
afterAll(async () => await pulsar?.close());

it("lets in who shows a valid token, and nobody else", async () => {
  const status = async (token: string | undefined): Promise<unknown> =>
    await new AdminClient(pulsar.adminUrl, { token }).brokers().then(
      () => 200,
      (error: unknown) => (error as { readonly status: number }).status,
    );
  expect(await status(undefined)).toBe(401);
  expect(await status(pulsar.token("somebody", { expiresInMs: -60_000 }))).toBe(401);
  expect(await status(pulsar.token("somebody", { expiresInMs: 60_000 }))).toBe(200);
  expect(await status(pulsar.adminToken)).toBe(200);
});

it("speaks the binary protocol over TLS with a certificate of its authority", async () => {
  const url = new URL(pulsar.serviceUrlTls?.replace("pulsar+ssl", "https") ?? "");
  const ca = await readFile(pulsar.tls?.caFile ?? "");
  const socket = connect({ host: url.hostname, port: Number(url.port), ca });
  await once(socket, "secureConnect");
  expect(socket.authorized).toBe(true);
  socket.destroy();
});

it("answers admin requests over TLS, with a client certificate in place of a token", async () => {
  const files = pulsar.tls?.clients["admin"];
  const options = {
    agent: false as const,
    ca: await readFile(pulsar.tls?.caFile ?? ""),
    cert: await readFile(files?.certFile ?? ""),
    key: await readFile(files?.keyFile ?? ""),
  };
  const request = get(`${pulsar.adminUrlTls}/admin/v2/clusters`, options);
  const [response] = (await once(request, "response")) as [{ readonly statusCode: number; resume(): void }];
  response.resume();
  expect(response.statusCode).toBe(200);
});
