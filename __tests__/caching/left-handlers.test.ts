import http from "node:http";
import { PassThrough, type Readable } from "node:stream";
import { afterEach, describe, expect, test } from "@jest/globals";
import { createAnswer, type DelegatingHandler, memoryStore } from "../../src/index.ts";
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

  test("leaves the next gateway of a store nothing of what was asked for behind an answer as one closed", async () => {
    upstream = await startUpstream((_req, res) => {
      const call = upstream.requests.length;
      if (call === 1) res.setHeader("Age", "11");
      res.setHeader("Cache-Control", "max-age=10, stale-while-revalidate=60");
      if (call !== 2) res.end(`answer ${call}`);
    });
    const store = memoryStore();
    const made = Promise.withResolvers<void>();
    const handler = fallBack({ begun: () => undefined, made: () => made.resolve() });
    const first = await start([handler], "Rfc", store);
    const headers = { Host: "gateway.example" };
    await askAt(first.port, { headers });
    await askAt(first.port, { headers });
    while (upstream.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await first.gateway.close({ grace: 0 });
    await made.promise;

    const second = await start([handler], "Rfc", store);
    expect((await askAt(second.port, { headers })).body).toMatch(/^answer/);
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
  ): Promise<RunningGateway> {
    const route = { CacheOptions: { TtlSeconds: 60, Mode, BeforeHandlers: true } };
    const gateway = await startGateway(configOf(upstream.port, { route }), { engine: create(), handlers, store });
    running.push(gateway);
    return gateway;
  }

  async function untilAsked(): Promise<void> {
    while (upstream.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  }
});
