import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import express from "express";
import express4 from "express4";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createGateway, type Gateway, parseConfig } from "../../src/index.ts";
import { sendBytes } from "../helpers/send-raw.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

function refuse(_req: IncomingMessage, res: ServerResponse): void {
  res.statusCode = 401;
  res.end();
}

const apps: readonly Readonly<{ name: string; lock: (gateway: Gateway) => RequestListener }>[] = [
  { name: "Express 5", lock: (gateway) => express().use("/admin", refuse).use(gateway) },
  { name: "Express 4", lock: (gateway) => express4().use("/admin", refuse).use(gateway) },
];

const characters = Array.from({ length: 0x100 - 0x21 }, (_, index) => String.fromCharCode(index + 0x21));
const schemes = ["javascript", "JavaScript", "mailto", "file", "ftp", "data", "about", "urn", "wss", "HTTPS", "http"];

describe.each(apps)("app.use(path, lock) before a gateway, whoever reads the path: $name", ({ lock }) => {
  let upstream: Upstream;
  let running: RunningGateway;
  beforeAll(async () => {
    upstream = await startUpstream((_req, res) => res.end());
    const config = {
      Routes: [
        {
          UpstreamPathTemplate: "/admin/{x}",
          DownstreamPathTemplate: "/admin/{x}",
          DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
        },
      ],
    };
    const gateway = createGateway(parseConfig(config, { logger: false }), { logger: false });
    running = await serve(lock(gateway), gateway);
  });
  beforeEach(() => void upstream.requests.splice(0));
  afterAll(async () => {
    await running.close();
    await upstream.close();
  });

  function ask(target: string, host: string): Promise<string> {
    const head = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    return sendBytes(running.port, Buffer.from(head, "latin1"));
  }

  test("the lock holds for the path, and for a URL as the target", async () => {
    for (const target of ["/admin/x", "http://gw/admin/x", "http://[::1]/admin/x"]) {
      const host = /^http:..([^/]*)/.exec(target)?.[1] ?? "gw";
      expect(await ask(target, host)).toMatch(/^HTTP\/1.1 401 /);
    }
  });

  test.each([
    ["within a host", (character: string) => `h${character}x`],
    ["before it", (character: string) => `${character}h`],
    ["behind it", (character: string) => `h${character}`],
    ["within a port", (character: string) => `h:8${character}0`],
  ])("no character %s hides a path", async (_title, hostWith) => {
    await Promise.all(characters.map((character) => ask(`http://${hostWith(character)}/admin/x`, hostWith(character))));
    expect(upstream.requests).toEqual([]);
  });

  test("no escape in a host hides a path", async () => {
    const escapes = ["%41", "%3b", "%2f", "%00", "%"].map((escape) => `h${escape}x`);
    await Promise.all(escapes.map((host) => ask(`http://${host}/admin/x`, host)));
    expect(upstream.requests).toEqual([]);
  });

  test.each(schemes)("no scheme hides a path: %s", async (scheme) => {
    await ask(`${scheme}://gw/admin/x`, "gw");
    await ask(`${scheme}:///admin/x`, "");
    expect(upstream.requests).toEqual([]);
  });
});
