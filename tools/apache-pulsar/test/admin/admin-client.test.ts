import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { AdminClient } from "../../src/admin/admin-client.ts";
import { isLauncherError } from "../../src/errors.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const serve = async (handler: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> => {
  const server = createServer(handler).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

it("keeps the token on its way to the broker in charge", async () => {
  const owner = await serve((request, response) => {
    response.end(JSON.stringify({ token: request.headers.authorization, method: request.method, path: request.url }));
  });
  const other = await serve((request, response) => {
    response.writeHead(307, { location: `${owner}${request.url}` }).end();
  });
  const admin = new AdminClient(other, { token: "abc" });
  expect(await admin.request("PUT", "/admin/v2/x", 3)).toEqual({
    token: "Bearer abc",
    method: "PUT",
    path: "/admin/v2/x",
  });
});

it("throws status and body of an answer that is a failure", async () => {
  const url = await serve((_, response) => {
    response.writeHead(409).end('{"reason":"exists"}');
  });
  const error: unknown = await new AdminClient(url).createTopic("t").catch((reason: unknown) => reason);
  expect(isLauncherError(error)).toBe(true);
  expect(error).toMatchObject({ code: "ADMIN_REQUEST_FAILED", status: 409, body: '{"reason":"exists"}' });
  expect(String(error)).toContain(`PUT ${url}/admin/v2/persistent/public/default/t was answered with 409`);
});

it("throws status 0 where nobody answers", async () => {
  const url = await serve((_, response) => {
    response.destroy();
  });
  await expect(new AdminClient(url).brokers()).rejects.toMatchObject({ code: "ADMIN_REQUEST_FAILED", status: 0 });
});

it("gives up a loop of redirects", async () => {
  const url = await serve((_, response) => {
    response.writeHead(307, { location: "/again" }).end();
  });
  await expect(new AdminClient(url).brokers()).rejects.toMatchObject({ status: 307 });
});

it("gives back text that is not JSON, and undefined for nothing", async () => {
  const url = await serve((request, response) => {
    response.end(request.url === "/text" ? "ok" : "");
  });
  const admin = new AdminClient(url);
  expect(await admin.request("GET", "/text")).toBe("ok");
  expect(await admin.request("GET", "/nothing")).toBeUndefined();
});

it("shows ids of messages as bigint", async () => {
  const url = await serve((_, response) => {
    response.end('{"ledgerId":12,"entryId":-1,"partitionIndex":-1}');
  });
  expect(await new AdminClient(url).terminateTopic("t")).toEqual({ ledgerId: 12n, entryId: -1n });
});
