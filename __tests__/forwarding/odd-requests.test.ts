import { afterEach, describe, expect, test } from "@jest/globals";
import express, { type ErrorRequestHandler } from "express";
import { createGateway, type GatewayOptions, parseConfig } from "../../src/index.ts";
import { configOf } from "../hosts/start-hosts.ts";
import { engines } from "../helpers/engines.ts";
import { request } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

type Outcome = Readonly<{ answer: Response; text: string; received: readonly string[][]; port: number }>;

/** Tells the code of an error, which clients are not told. */
const tellCode: ErrorRequestHandler = (error: { code?: string }, _req, res, next) => {
  if (res.headersSent) next(error);
  else res.status(500).end(String(error.code));
};

/** What a client gets through a gateway with such options, and the headers that come to its only host. */
async function ask(options: (port: number) => GatewayOptions): Promise<Outcome> {
  const received: string[][] = [];
  const upstream = await startUpstream((req, res) => {
    received.push(req.rawHeaders);
    res.end("ok");
  });
  const { port } = upstream;
  const config = parseConfig(configOf([upstream]), { logger: false });
  const gateway = createGateway(config, { logger: false, ...options(port) });
  const { origin, close } = await serve(express().use(gateway).use(tellCode), gateway);
  cleanups.push(close, upstream.close);
  const answer = await fetch(`${origin}/x`, { signal: AbortSignal.timeout(5_000) });
  return { answer, text: await answer.text(), received, port };
}

const anyPath = { UpstreamPathTemplate: "/{any}", DownstreamPathTemplate: "/{any}" };
const nothings = [undefined, null] as unknown as string[];

describe.each(engines)("$name", ({ create }) => {
  test.each(nothings)("a header that is set to %s is left out, whoever sets it", async (nothing) => {
    const { answer, received } = await ask(() => ({
      engine: create(),
      middleware: [
        (req, _res, next) => {
          req.headers["x-middleware"] = nothing;
          next();
        },
      ],
      handlers: [
        (outgoing, next) => {
          outgoing.headers["x-handler"] = nothing;
          outgoing.headers["x-list"] = ["a", nothing, "b"];
          return next();
        },
      ],
      responder: (upstream, _context, respond) => {
        upstream.headers["x-responder"] = nothing;
        upstream.headers["x-answered"] = ["a", nothing, "b"];
        return respond();
      },
    }));
    expect([answer.status, answer.headers.has("x-responder")]).toEqual([200, false]);
    expect(answer.headers.get("x-answered")).toBe("a, b");
    const ours = received[0]!.filter((_, index, all) => all[index - (index % 2)]!.toLowerCase().startsWith("x-"));
    expect(ours.filter((text) => !/forwarded|127|^https?$/i.test(text))).toEqual(["x-list", "a", "x-list", "b"]);
  });

  test.each(["middleware", "a handler"])("the method CONNECT of %s is a misuse", async (who) => {
    const { answer, text, received } = await ask(() => ({
      engine: create(),
      middleware: [
        (req, _res, next) => {
          if (who === "middleware") req.method = "CONNECT";
          next();
        },
      ],
      handlers: [
        (outgoing, next) => {
          if (who === "a handler") outgoing.method = "connect";
          return next();
        },
      ],
    }));
    expect([answer.status, text]).toEqual([500, "handler-misuse"]);
    expect(received).toEqual([]);
  });

  test.each([
    "http://127.0.0.1:PORT/x/y",
    "http://127.0.0.1:PORT?x",
    "http://127.0.0.1:PORT#x",
    "http://user:secret@127.0.0.1:PORT",
    "ftp://127.0.0.1:PORT",
    "ws://127.0.0.1:PORT",
    "127.0.0.1:PORT",
    "localhost:PORT",
    "http://127.0.0.1:PORT ",
    "http://127.0.0.1:999999",
    "",
    7 as unknown as string,
    undefined as unknown as string,
  ])("the origin %s of a handler is a misuse", async (origin) => {
    const { answer, text, received } = await ask((port) => ({
      engine: create(),
      handlers: [
        (outgoing, next) => {
          outgoing.origin = typeof origin === "string" ? origin.replace("PORT", String(port)) : origin;
          return next();
        },
      ],
    }));
    expect([answer.status, text]).toEqual([500, "handler-misuse"]);
    expect(received).toEqual([]);
  });

  // The templates may make such a path of an honest one, too: where a host were blamed for it, clients could open breakers.
  test.each(["//", "///", "//:x", "//[", "//a:b@c:99999/x"])(
    "the path %s arrives, though it is no URL",
    async (path) => {
      const upstream = await startUpstream((req, res) => res.end(req.url));
      const gateway = createGateway(parseConfig(configOf([upstream], anyPath)), { engine: create() });
      const { port, close } = await serve(express().use(gateway), gateway);
      cleanups.push(close, upstream.close);
      const { status, body } = await request({ port, path });
      expect([status, String(body)]).toEqual([200, path]);
    },
  );

  test("the origin of a handler may end with a slash, as URLs do", async () => {
    const { answer, received, port } = await ask((to) => ({
      engine: create(),
      handlers: [
        (outgoing, next) => {
          outgoing.origin = new URL(`http://localhost:${to}`).href;
          return next();
        },
      ],
    }));
    expect(answer.status).toBe(200);
    expect(received[0]).toContain(`localhost:${port}`);
  });
});
