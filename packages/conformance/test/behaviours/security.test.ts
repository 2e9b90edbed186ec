import { readFile } from "node:fs/promises";
import { TokenAuthentication } from "@pulsewire/client";
import { expect } from "vitest";
import { onOwnBroker } from "../../src/suite/on-each-broker.ts";
import { numbered, receive, sendAll, texts } from "../../src/suite/receiving.ts";

const secured = {
  tls: true,
  auth: true,
  authorization: true,
  config: { authenticationRefreshCheckSeconds: 1 },
} as const;

onOwnBroker("a broker with TLS and tokens", secured, (behaviour) => {
  behaviour("lets a client in that trusts its certificate and has a token", async ({ broker, connect, topic }) => {
    const client = connect({
      serviceUrl: broker.serviceUrlTls ?? "",
      tls: { ca: await readFile(broker.tls?.caFile ?? "") },
      authentication: new TokenAuthentication(broker.token("admin")),
    });
    const consumer = await client.subscribe({ topic, subscription: "s" });
    const producer = await client.createProducer({ topic });
    await sendAll(producer, numbered(100));
    expect(texts(await receive(consumer, 100))).toEqual(numbered(100));
  });

  behaviour("is refused by a client that does not trust its certificate", async ({ broker, connect, topic }) => {
    const client = connect({ serviceUrl: broker.serviceUrlTls ?? "", operationTimeoutMs: 2000 });
    await expect(client.createProducer({ topic })).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:CONNECT|TIMEOUT)$/u),
    });
  });

  behaviour(
    "is refused by a client that expects another name, unless told not to check",
    async ({ broker, connect, topic }) => {
      const ca = await readFile(broker.tls?.caFile ?? "");
      const authentication = new TokenAuthentication(broker.token("admin"));
      const base = { serviceUrl: broker.serviceUrlTls ?? "", authentication, operationTimeoutMs: 2000 };
      const strict = connect({ ...base, tls: { ca, servername: "pulsar.example.org" } });
      await expect(strict.createProducer({ topic })).rejects.toMatchObject({
        code: expect.stringMatching(/^(?:CONNECT|TIMEOUT)$/u),
      });
      const lax = connect({ ...base, tls: { ca, servername: "pulsar.example.org", hostnameVerification: false } });
      await (await lax.createProducer({ topic })).send({ value: Buffer.from("x") });
    },
  );

  behaviour(
    "refuses a client without a token, or with a wrong or expired one, with AUTHENTICATION",
    async (context) => {
      const { broker, topic } = context;
      const wrong = [
        undefined,
        new TokenAuthentication("not.a.token"),
        new TokenAuthentication(broker.token("admin", { expiresInMs: -60_000 })),
      ];
      for (const authentication of wrong) {
        const client = context.connect({ authentication });
        const start = performance.now();
        await expect(client.createProducer({ topic })).rejects.toMatchObject({ code: "AUTHENTICATION" });
        expect(performance.now() - start).toBeLessThan(10_000);
      }
    },
  );

  behaviour("refuses a role without permission with AUTHORIZATION", async ({ broker, connect, topic }) => {
    const client = connect({ authentication: new TokenAuthentication(broker.token("nobody")) });
    await expect(client.createProducer({ topic })).rejects.toMatchObject({ code: "AUTHORIZATION" });
    await expect(client.subscribe({ topic, subscription: "s" })).rejects.toMatchObject({ code: "AUTHORIZATION" });
  });

  behaviour("renews an expiring token on the same connection", async ({ broker, connect, topic }) => {
    let asked = 0;
    let renewed: () => void;
    const thirdToken = new Promise<void>((resolve) => {
      renewed = resolve;
    });
    const client = connect({
      authentication: new TokenAuthentication(() => {
        asked += 1;
        if (asked === 3) renewed();
        return broker.token("admin", { expiresInMs: 3000 });
      }),
    });
    const disconnects: Error[] = [];
    client.on("disconnected", ({ error }) => disconnects.push(error));
    const consumer = await client.subscribe({ topic, subscription: "s" });
    const producer = await client.createProducer({ topic });
    await thirdToken;
    await sendAll(producer, numbered(10));
    expect(texts(await receive(consumer, 10))).toEqual(numbered(10));
    expect(disconnects).toEqual([]);
  });
});
