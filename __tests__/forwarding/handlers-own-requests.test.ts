import { once } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setImmediate as later } from "node:timers/promises";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { DelegatingHandler, OutgoingRequest } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { request } from "../helpers/send-raw.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function startService(name = "service"): Promise<Upstream> {
  const service = await startUpstream((req, res) => req.on("end", () => res.end(name)).resume());
  cleanups.push(service.close);
  return service;
}

const passOn: DelegatingHandler = (_outgoing, next) => next();

describe.each(engines)("each call of an outer handler has a request of its own, with $name", ({ create }) => {
  async function startWith(handlers: readonly DelegatingHandler[]) {
    const service = await startService();
    const target = { Host: "127.0.0.1", Port: service.port };
    const Routes = [{ UpstreamPathTemplate: "/x", DownstreamPathTemplate: "/x", DownstreamHostAndPorts: [target] }];
    const { port, close } = await startGateway({ Routes }, { handlers, engine: create() });
    cleanups.push(close);
    return { service, port };
  }

  const keys = (at: Upstream): unknown[] => at.requests.map(({ headers }) => [headers["x-key"], headers.cookie]);

  test.each([
    ["which waits", []],
    ["which waits behind one that does not", [passOn]],
  ])("an inner handler %s signs each for where it goes", async (_case, between) => {
    const mirror = await startService("mirror");
    const copyTo: DelegatingHandler = async (outgoing, next) => {
      const answering = next();
      outgoing.origin = mirror.origin;
      outgoing.headers = { ...outgoing.headers };
      delete outgoing.headers.cookie;
      const copied = await next();
      copied.body.resume();
      return answering;
    };
    const sign: DelegatingHandler = async (outgoing, next) => {
      await later();
      outgoing.headers["x-key"] = outgoing.origin === mirror.origin ? "of the mirror" : "of the service";
      return next();
    };
    const { service, port } = await startWith([copyTo, ...between, sign]);
    const { body } = await request({ port, path: "/x", headers: { cookie: "s=1" } });
    expect([String(body), keys(service), keys(mirror)]).toEqual([
      "service",
      [["of the service", "s=1"]],
      [["of the mirror", undefined]],
    ]);
  });

  test("headers that an outer handler assigns to all are without what an inner one adds for one client", async () => {
    const constant = { "x-list": ["a"] };
    const assign: DelegatingHandler = (outgoing, next) => {
      outgoing.headers = constant;
      return next();
    };
    const tellUser: DelegatingHandler = (outgoing, next, { req }) => {
      if (req.headers.cookie === undefined) return next();
      outgoing.headers["x-user"] = req.headers.cookie;
      (outgoing.headers["x-list"] as string[]).push(req.headers.cookie);
      return next();
    };
    const { service, port } = await startWith([assign, tellUser]);
    await request({ port, path: "/x", headers: { cookie: "ada" } });
    await request({ port, path: "/x" });
    expect(service.requests.map(({ headers }) => [headers["x-user"], headers["x-list"]])).toEqual([
      ["ada", "a, ada"],
      [undefined, "a"],
    ]);
    expect(constant).toEqual({ "x-list": ["a"] });
  });

  test("a second call begins with what the outer handler has, not with what an inner one has made of the first", async () => {
    const after: OutgoingRequest[] = [];
    const twice: DelegatingHandler = async (outgoing, next) => {
      outgoing.body = Buffer.from("text");
      const answer = await next();
      after.push({ ...outgoing });
      answer.body.resume();
      return next();
    };
    const wrap: DelegatingHandler = (outgoing, next) => {
      outgoing.method = "PUT";
      outgoing.path += "?wrapped";
      outgoing.headers["x-wraps"] = `${String(outgoing.headers["x-wraps"] ?? "")}1`;
      outgoing.body = Buffer.concat([Buffer.from("<"), outgoing.body as Buffer, Buffer.from(">")]);
      return next();
    };
    const { service, port } = await startWith([twice, wrap]);
    await request({ port, path: "/x", method: "POST", body: "sent" });
    const sent = ["PUT", "/x?wrapped", "1", "<text>"];
    expect(
      service.requests.map(({ method, target, headers, body }) => [method, target, headers["x-wraps"], String(body)]),
    ).toEqual([sent, sent]);
    const [{ method, path, headers, body } = {} as OutgoingRequest] = after;
    expect([method, path, headers["x-wraps"], body]).toEqual(["POST", "/x", undefined, Buffer.from("text")]);
  });

  test("an outer handler whose stream an inner one has read calls no second time", async () => {
    const twice: DelegatingHandler = async (_outgoing, next) => {
      (await next()).body.resume();
      return next();
    };
    const read: DelegatingHandler = async (outgoing, next) => {
      outgoing.body = await buffer(outgoing.body as Readable);
      return next();
    };
    const { service, port } = await startWith([twice, read]);
    const { status } = await request({ port, path: "/x", method: "POST", body: "sent" });
    expect([status, service.requests.map(({ body }) => String(body))]).toEqual([500, ["sent"]]);
  });

  test("streams that handlers have assigned one after another are sent, and gone with the exchange", async () => {
    const streams: Readable[] = [];
    const pipe: DelegatingHandler = (outgoing, next) => {
      streams.push((outgoing.body = (outgoing.body as Readable).pipe(new PassThrough())));
      return next();
    };
    const replace: DelegatingHandler = (outgoing, next) => {
      streams.push((outgoing.body = new Readable({ read: () => undefined })));
      outgoing.body = streams[0]!;
      return next();
    };
    const { service, port } = await startWith([pipe, replace]);
    await request({ port, path: "/x", method: "POST", body: "sent" });
    expect([String(service.requests[0]!.body), streams.length]).toEqual(["sent", 2]);
    for (const stream of streams) if (!stream.closed) await once(stream, "close");
  });
});
