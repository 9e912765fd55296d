import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import express from "express";
import express4 from "express4";
import type { RequestListener } from "node:http";
import type { Gateway } from "../../src/index.ts";
import { sendBytes } from "../helpers/send-raw.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { gatewayTo } from "./gateway-to.ts";

const apps: readonly Readonly<{ name: string; mount: (gateway: Gateway) => RequestListener }>[] = [
  { name: "Express 5", mount: (gateway) => express().use("/:tenant", gateway) },
  { name: "Express 4", mount: (gateway) => express4().use("/:tenant", gateway) },
];

describe.each(apps)("A gateway below a parameter of the path, in $name", ({ mount }) => {
  let upstream: Upstream;
  let running: RunningGateway;
  beforeAll(async () => {
    // As services do that begin their links with it.
    upstream = await startUpstream(({ headers }, res) => {
      res.writeHead(302, { location: `${String(headers["x-forwarded-prefix"])}/login` }).end();
    });
    const gateway = gatewayTo(upstream.port);
    running = await serve(mount(gateway), gateway);
  });
  afterAll(() => Promise.all([running.close(), upstream.close()]));

  const ask = (path: string): Promise<string> =>
    sendBytes(running.port, Buffer.from(`GET ${path} HTTP/1.1\r\nHost: gw\r\nConnection: close\r\n\r\n`, "latin1"));

  test.each([
    ["a name", "/acme/x", "/acme/login"],
    ["escapes", "/a%20b%C3%A4/x", "/a%20b%C3%A4/login"],
    ["a backslash, which browsers take for a slash", "/\\evil.example/x", "/%5Cevil.example/login"],
  ])("tells %s above it", async (_what, path, location) => {
    expect(/^location: (.*)\r$/im.exec(await ask(path))?.[1]).toBe(location);
  });

  test.each([
    ["a dot segment", "/../x"],
    ["one in escapes", "/%2e%2E/x"],
    ["one behind a backslash", "/\\../x"],
    ["a NUL", "/a%00/x"],
    ["a line break", "/a%0d%0aSet-Cookie:%20a=1/x"],
    ["a tab", "/%09/x"],
  ])("refuses %s above it", async (_what, path) => {
    const before = upstream.requests.length;
    expect(await ask(path)).toMatch(/^HTTP\/1.1 400 /);
    expect(upstream.requests).toHaveLength(before);
  });
});

test("a path above the gateway that begins with two slashes names no host in links", async () => {
  const upstream = await startUpstream(({ headers }, res) => res.end(String(headers["x-forwarded-prefix"])));
  const gateway = gatewayTo(upstream.port);
  const app = express().use(/^\/\/[^/]+/, gateway);
  const running = await serve(app, gateway);
  const answer = await sendBytes(
    running.port,
    "GET //evil.example/x HTTP/1.1\r\nHost: gw\r\nConnection: close\r\n\r\n",
  );
  expect(answer).toMatch(/\r\n\r\n(?:d\r\n)?\/evil\.example(?:\r\n|$)/);
  await running.close();
  await upstream.close();
});
