import { once } from "node:events";
import http from "node:http";
import { PassThrough, Readable } from "node:stream";
import { afterEach, describe, expect, test } from "@jest/globals";
import {
  createAnswer,
  type DelegatingHandler,
  type GatewayContext,
  type GatewayHandler,
  memoryStore,
} from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { askAt, configOf } from "./cached-route.ts";

/** What handlers tell a test: that they are at work, and that they have made something of a call that has ended. */
type Told = Readonly<{ begun: () => void; made: () => void }>;

type Making = Readonly<{
  what: string;
  /** Whether the service begins its answer before the client leaves. */
  begins: boolean;
  handler: (told: Told) => DelegatingHandler;
}>;

const fallBack: Making["handler"] =
  ({ made }) =>
  (_outgoing, next) =>
    next().catch(() => {
      made();
      return createAnswer({ status: 200, headers: { "cache-control": "max-age=60" }, body: "[]" });
    });

/** Ends where others break off. */
class EndsInstead extends PassThrough {
  override destroy(): this {
    return this.writableEnded ? this : this.end("(cut)");
  }
}

/** Reads as much of a body as there is. */
async function readSome(body: Readable, begun: () => void): Promise<string> {
  let text = "";
  try {
    for await (const piece of body) {
      text += String(piece);
      begun();
    }
  } catch {
    text += "(cut)";
  }
  return text;
}

const makings: readonly Making[] = [
  { what: "in place of a call that has failed", begins: false, handler: fallBack },
  {
    what: "once their signal has told them to end",
    begins: false,
    handler:
      ({ made }) =>
      async (_outgoing, next, { signal }) => {
        const ended = new Promise<undefined>((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
        const answer = await Promise.race([next().catch(() => ended), ended]);
        if (answer === undefined) made();
        return answer ?? createAnswer({ status: 200, headers: { "cache-control": "max-age=60" }, body: "nothing" });
      },
  },
  {
    what: "of the half of a body",
    begins: true,
    handler:
      ({ begun, made }) =>
      async (_outgoing, next) => {
        const { headers, body } = await next();
        const text = await readSome(body, begun);
        made();
        return createAnswer({ status: 200, headers, body: text });
      },
  },
  {
    what: "of a body that has begun to go to the client",
    begins: true,
    handler:
      ({ made }) =>
      async (_outgoing, next) => {
        const { headers, body } = await next();
        const out = new EndsInstead();
        body.pipe(out);
        out.once("finish", made);
        return createAnswer({ status: 200, headers, body: out });
      },
  },
];

let upstream: Upstream;
const running: RunningGateway[] = [];
afterEach(async () => {
  for (const gateway of running.splice(0)) await gateway.close();
  await upstream.close();
});

describe.each(engines)("a client that leaves handlers behind a cache, with $name", ({ create }) => {
  test.each(["Ttl", "Rfc"].flatMap((Mode) => makings.map((making) => ({ ...making, Mode }))))(
    "leaves nobody what they make $what, with Mode $Mode",
    async ({ begins, handler, Mode }) => {
      await startService(begins);
      const begun = Promise.withResolvers<void>();
      const made = Promise.withResolvers<void>();
      const told = { begun: () => begun.resolve(), made: () => made.resolve() };
      const { port } = await start([handler(told)], Mode);
      const client = http.get({ host: "127.0.0.1", port, path: "/x", agent: false }).on("error", () => undefined);
      client.on("response", (answer) => answer.on("error", () => undefined).once("data", told.begun));
      if (begins) await begun.promise;
      else await untilAsked();
      client.destroy();
      await made.promise;

      const got = [await askAt(port), await askAt(port)];
      expect(got.map(({ body }) => body)).toEqual(["first rest", "first rest"]);
      expect(String(got[1]!.headers["cache-status"])).toMatch("; hit");
    },
  );

  test("leaves the next gateway of a store nothing that one has made as it closed", async () => {
    await startService(false);
    const store = memoryStore();
    const made = Promise.withResolvers<void>();
    const handler = fallBack({ begun: () => undefined, made: () => made.resolve() });
    const first = await start([handler], "Ttl", store);
    const headers = { Host: "gateway.example" };
    const left = askAt(first.port, { headers }).catch(() => undefined);
    await untilAsked();
    await first.gateway.close({ grace: 0 });
    await Promise.all([left, made.promise]);

    const second = await start([handler], "Ttl", store);
    expect((await askAt(second.port, { headers })).body).toBe("first rest");
  });

  test.each(["Ttl", "Rfc"])(
    "leaves nobody what they make once it has got that nothing has changed, with Mode %s",
    async (Mode) => {
      await startService(false);
      let calls = 0;
      const write = async function* (res: GatewayContext["res"]): AsyncGenerator<string> {
        yield "first ";
        if (calls === 1 && !res.destroyed) await once(res, "close");
        yield res.destroyed ? "of nobody" : "rest";
      };
      const handler: DelegatingHandler = async (_outgoing, _next, { res }) => {
        calls += 1;
        const headers = { etag: '"a"', "cache-control": "max-age=60" };
        return createAnswer({ status: 200, headers, body: Readable.from(write(res)) });
      };
      const { port } = await start([handler], Mode);
      expect((await askAt(port, { headers: { Host: "a", "If-None-Match": "*" } })).status).toBe(304);
      const got = [await askAt(port, { headers: { Host: "a" } }), await askAt(port, { headers: { Host: "a" } })];
      expect(got.map(({ body }) => body)).toEqual(["first rest", "first rest"]);
      expect(String(got[1]!.headers["cache-status"])).toMatch("; hit");
    },
  );

  test("leaves those who wait for the same to ask for themselves", async () => {
    await startService(false);
    const made: string[] = [];
    const handler: DelegatingHandler = async (_outgoing, _next, { req, res }) => {
      const who = String(req.headers["x-who"]);
      made.push(who);
      if (made.length === 1) await once(res, "close");
      return createAnswer({ status: 200, body: res.destroyed ? "for nobody" : `for ${who}` });
    };
    let seen = 0;
    const count: GatewayHandler = (_req, _res, next) => {
      seen += 1;
      next();
    };
    const { port } = await start([handler], "Ttl", memoryStore(), [count]);
    const asked = (who: string) => ({ headers: { Host: "a", "x-who": who } });
    const options = { host: "127.0.0.1", port, path: "/x", agent: false, ...asked("the first") };
    const client = http.get(options).on("error", () => undefined);
    while (made.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const waiting = askAt(port, asked("who waited"));
    while (seen < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(made).toEqual(["the first"]);
    client.destroy();

    expect((await waiting).body).toBe("for who waited");
    expect((await askAt(port, asked("anybody"))).body).toBe("for who waited");
  });

  async function startService(begins: boolean): Promise<void> {
    upstream = await startUpstream((_req, res) => {
      res.setHeader("Cache-Control", "max-age=60");
      if (upstream.requests.length > 1) res.end("first rest");
      else if (begins) res.write("first ");
    });
  }

  async function start(
    handlers: readonly DelegatingHandler[],
    Mode: string,
    store = memoryStore(),
    middleware: readonly GatewayHandler[] = [],
  ): Promise<RunningGateway> {
    const route = { CacheOptions: { TtlSeconds: 60, Mode, BeforeHandlers: true } };
    const gateway = await startGateway(configOf(upstream.port, { route }), {
      engine: create(),
      ...{ handlers, store, middleware },
    });
    running.push(gateway);
    return gateway;
  }

  async function untilAsked(): Promise<void> {
    while (upstream.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  }
});
