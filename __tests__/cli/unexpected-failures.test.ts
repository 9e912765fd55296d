import http from "node:http";
import { expect, test } from "@jest/globals";
import { createApp } from "../../src/cli/serve/create-app.ts";
import { createGateway, type Logger, parseConfig } from "../../src/index.ts";
import { listen } from "../helpers/start-upstream.ts";

test("waymark serve tells in its log why an unexpected failure became a 500, and of no other failure twice", async () => {
  const told: unknown[] = [];
  const ignore = (): void => undefined;
  const logger: Logger = {
    error: (fields) => void told.push(["unexpected", (fields as { err: Error }).err.message]),
    warn: (fields) => void told.push(Reflect.get(fields, "code")),
    info: ignore,
    debug: ignore,
  };
  const failing = { UpstreamPathTemplate: "/failing", DownstreamPathTemplate: "/" };
  const refused = { UpstreamPathTemplate: "/refused", DownstreamPathTemplate: "/" };
  const Routes = [failing, refused].map((route) => ({
    ...route,
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: 1 }],
  }));
  const gateway = createGateway(parseConfig({ Routes }, { logger: false }), {
    logger,
    handlers: [
      (_outgoing, next, { req }) => {
        if (req.url === "/failing") throw new Error("too many open files");
        return next();
      },
    ],
  });
  const { app } = createApp({
    settings: { health: undefined, log: "none" },
    gateway,
    inspect: undefined,
    documents: (_req, _res, next) => next!(new Error("no page")),
    serverState: { isDraining: false },
    logger,
  });
  const server = http.createServer(app);
  const origin = `http://127.0.0.1:${await listen(server)}`;
  for (const [path, status] of [
    ["failing", 500],
    ["refused", 502],
    ["unmatched", 404],
    ["swagger", 500],
  ] as const) {
    const answer = await fetch(`${origin}/${path}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      status,
      expect.stringContaining("problem+json"),
    ]);
    await answer.text();
  }
  expect(told).toEqual([["unexpected", "too many open files"], "upstream-refused", ["unexpected", "no page"]]);
  server.close().closeAllConnections();
  await gateway.close({ grace: 0 });
});
