import { Readable } from "node:stream";
import express, { type RequestHandler } from "express";
import { afterEach, describe, expect, test } from "@jest/globals";
import {
  type Aggregator,
  createAnswer,
  createGateway,
  type DelegatingHandler,
  type GatewayOptions,
  metadataResponder,
  parseConfig,
  type Responder,
} from "../../src/index.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { askAt } from "./cached-route.ts";

type Response = Parameters<DelegatingHandler>[2]["res"];

let running: RunningGateway | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const writePieces: Responder = async ({ body }, { res }) => {
  for await (const piece of body) res.write(piece);
  res.end();
};

const writeAtOnce: Responder = async (answer, context) => {
  const pieces: Uint8Array[] = [];
  for await (const piece of answer.body) pieces.push(piece as Uint8Array);
  context.res.end(Buffer.concat(pieces));
};

const join: Aggregator = async (parts) => createAnswer({ status: 200, body: parts.map(({ body }) => body).join() });

/** Sets a cookie for each client as a head is written, as session middleware does. */
const setCookieWithHead: RequestHandler = (_req, res, next) => {
  const writeHead = res.writeHead.bind(res);
  res.writeHead = function writeHeadWithCookie(...parts: unknown[]) {
    res.setHeader("Set-Cookie", "sid=1");
    return Reflect.apply(writeHead, undefined, parts) as typeof res;
  };
  next();
};

const sayings: readonly (readonly [what: string, name: string, value: string])[] = [
  ["a cookie", "Set-Cookie", "sid=1"],
  ["Cache-Control", "Cache-Control", "private"],
];

const readers: readonly (readonly [who: string, options: GatewayOptions, path: string])[] = [
  ["metadataResponder()", { responder: metadataResponder() }, "/one"],
  ["a responder that writes piece by piece", { responder: writePieces }, "/one"],
  ["a responder that writes all at once", { responder: writeAtOnce }, "/one"],
  ["an aggregator", {}, "/all"],
];

describe.each(readers)("code that writes a body for %s", (_who, options, path) => {
  test.each(sayings)("says as it begins that it is for one client: %s", async (_what, name, value) => {
    expect(await askTwice(options, path, (res) => void res.setHeader(name, value))).toEqual([1, 2]);
  });

  test("is for all where it says nothing of it", async () => {
    expect(await askTwice(options, path, (res) => void res.setHeader("X-Seen", "1"))).toEqual([1, 1]);
  });

  test("is for all where middleware sets a cookie as the head is written", async () => {
    expect(await askTwice(options, path, nothing, nothing, setCookieWithHead)).toEqual([1, 1]);
  });
});

test.each(sayings)("code that writes a body says so as it ends: %s", async (_what, name, value) => {
  const say = (res: Response): void => void res.setHeader(name, value);
  expect(await askTwice({ responder: writeAtOnce }, "/one", nothing, say)).toEqual([1, 2]);
});

test("code that writes a body for a client that reads it as it comes writes it for all", async () => {
  expect(await askTwice({}, "/one", nothing)).toEqual([1, 1]);
  expect(await askTwice({}, "/one", nothing, nothing, setCookieWithHead)).toEqual([1, 1]);
});

/** How often a handler was called in all when the first, and the second client had its answer. */
async function askTwice(
  options: GatewayOptions,
  path: string,
  first: (res: Response) => void,
  last: (res: Response) => void = nothing,
  before: RequestHandler = (_req, _res, next) => next(),
): Promise<number[]> {
  await running?.close();
  let calls = 0;
  const handler: DelegatingHandler = async (outgoing, _next, { res }) => {
    if (outgoing.path === "/other") return createAnswer({ status: 200, headers: json, body: "{}" });
    calls += 1;
    return createAnswer({ status: 200, headers: json, body: Readable.from(write(res)) });
  };
  async function* write(res: Response) {
    await Promise.resolve();
    first(res);
    yield "[1,";
    yield "2]";
    last(res);
  }
  const at = (Key: string) => ({
    ...{ Key, UpstreamPathTemplate: `/${Key}`, DownstreamPathTemplate: `/${Key}` },
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: 1 }],
  });
  const config = {
    Routes: [{ ...at("one"), CacheOptions: { TtlSeconds: 60, BeforeHandlers: true } }, at("other")],
    Aggregates: [{ UpstreamPathTemplate: "/all", RouteKeys: ["one", "other"], Aggregator: "join" }],
  };
  const gateway = createGateway(parseConfig(config, { logger: false }), {
    ...options,
    aggregators: { join },
    handlers: [handler],
    logger: false,
  });
  running = await serve(express().use(before).use(gateway), gateway);
  const counted: number[] = [];
  for (let asked = 0; asked < 2; asked += 1) {
    expect((await askAt(running.port, { path })).body).toContain("1,");
    counted.push(calls);
  }
  return counted;
}

const json = { "content-type": "application/json" };

function nothing(): void {
  // Nothing is said.
}
