import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { afterEach, describe, expect, test } from "@jest/globals";
import express, { type RequestHandler } from "express";
import {
  createGateway,
  type Gateway,
  type GatewayHandler,
  type GatewayOptions,
  metadataHeader,
  parseConfig,
} from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const sent = {
  "X-Real-IP": "6.6.6.6",
  "X-Forwarded-For": "10.1.1.1",
  "X-Forwarded-Proto": "https",
  X_Forwarded_User: "somebody",
  Forwarded: "for=6.6.6.6",
  TE: "trailers",
  Connection: "X-Hop, TE",
  "X-Hop": "1",
  "X-Request-Id": "not sane",
  "X-Other": "2",
};

function makeGateway(port: number, options: GatewayOptions): Gateway {
  const route = {
    UpstreamPathTemplate: "/x/{y}",
    DownstreamPathTemplate: "/{y}",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }],
    RequestIdKey: "X-Request-Id",
    Metadata: { role: "admin" },
  };
  const config = parseConfig({ Routes: [route] }, { logger: false });
  const gateway = createGateway(config, { logger: false, ...options });
  cleanups.push(() => gateway.close({ grace: 0 }));
  return gateway;
}

type Seen = {
  before?: IncomingHttpHeaders;
  same?: boolean;
  copy?: object;
  distinct?: object;
  behind?: unknown[];
  raw?: string[];
};

async function leave(
  middleware: GatewayHandler,
  options: GatewayOptions = {},
): Promise<Seen & { answer: IncomingHttpHeaders }> {
  const seen: Seen = {};
  const gateway = makeGateway(1, { middleware: [middleware, (_req, _res, next) => next("router")], ...options });
  const note: RequestHandler = (req, _res, next) => {
    Object.assign(seen, { before: req.headers, copy: { ...req.headers }, raw: [...req.rawHeaders] });
    next();
  };
  const app = express().use(note, gateway, (req, res) => {
    seen.same = req.headers === seen.before;
    seen.behind = [{ ...req.headers }, { ...req.headersDistinct }, [...req.rawHeaders]];
    res.end();
  });
  const running = await serve(app, gateway);
  cleanups.push(running.close);
  const { headers } = await request({ port: running.port, path: "/x/1", headers: sent });
  return { ...seen, answer: headers };
}

function distinctOf(headers: object): Record<string, string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value as string]]));
}

describe('a request that leaves by next("router")', () => {
  test("has its headers as they came, in the same object", async () => {
    const { same, copy, raw, behind } = await leave((_req, _res, next) => next());
    expect(same).toBe(true);
    expect(behind).toEqual([copy, distinctOf(copy!), raw]);
  });

  test("keeps what middleware has changed", async () => {
    const { copy, behind } = await leave((req, _res, next) => {
      req.headers["x-user"] = "checked";
      req.headers["x-real-ip"] = "10.2.2.2";
      delete req.headers["x-other"];
      next();
    });
    const others: Record<string, unknown> = { ...copy };
    delete others["x-other"];
    expect(behind![0]).toEqual({ ...others, "x-user": "checked", "x-real-ip": "10.2.2.2" });
  });

  test("keeps what middleware has assigned", async () => {
    const { copy, behind } = await leave((req, _res, next) => {
      req.headers = { ...req.headers, "x-user": "checked" };
      next();
    });
    expect(behind![0]).toEqual({ ...copy, "x-user": "checked" });
  });

  test("has an answer without the request id and the metadata of the route that it left", async () => {
    const setOwn: GatewayHandler = (_req, res, next) => {
      res.setHeader("x-own", "1");
      next();
    };
    const { answer } = await leave(setOwn, { responder: metadataHeader() });
    expect(answer).toMatchObject({ "x-own": "1" });
    expect([answer["x-request-id"], answer["gw-route-metadata"]]).toEqual([undefined, undefined]);
  });

  test("finds a second gateway that trusts whom it always trusts", async () => {
    const upstream = await startUpstream();
    cleanups.push(upstream.close);
    const first = makeGateway(1, { middleware: [(_req, _res, next) => next("router")] });
    const second = makeGateway(upstream.port, { trustProxy: true });
    const running = await serve(express().use(first, second), second);
    cleanups.push(running.close);
    await request({ port: running.port, path: "/x/1", headers: sent });
    expect(upstream.requests[0]!.headers).toMatchObject({
      "x-forwarded-for": "10.1.1.1, 127.0.0.1",
      "x-forwarded-proto": "https",
      "x-real-ip": "6.6.6.6",
      forwarded: "for=6.6.6.6",
    });
  });
});

test("during the middleware headersDistinct lacks what headers lacks", async () => {
  let seen: [IncomingMessage["headers"], IncomingMessage["headersDistinct"], unknown] | undefined;
  await leave((req, _res, next) => {
    seen = [{ ...req.headers }, { ...req.headersDistinct }, req.get("x-real-ip")];
    next();
  });
  expect(Object.keys(seen![1]).sort()).toEqual(Object.keys(seen![0]).sort());
  expect([seen![0]["x-hop"], seen![0]["x-real-ip"], seen![2]]).toEqual([undefined, undefined, undefined]);
});
