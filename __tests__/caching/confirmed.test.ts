import { afterEach, describe, expect, test } from "@jest/globals";
import { createAnswer, type DelegatingHandler } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { type CachedRoute, startCachedRoute } from "./cached-route.ts";

let route: CachedRoute | undefined;
afterEach(async () => {
  await route?.close();
  route = undefined;
});

// When it comes, it is old already.
const old = { "cache-control": "max-age=10", age: "11" };
const date = "Mon, 01 Jan 2024 00:00:00 GMT";
let version = 1;

const passOn: DelegatingHandler = (_outgoing, next) => next();

/** Writes a head as code in JavaScript may. */
const rewrite =
  (write: (name: string, value: unknown) => readonly [name: string, value: unknown]): DelegatingHandler =>
  async (_outgoing, next) => {
    const answer = await next();
    const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => write(name, value)));
    return { status: answer.status, statusText: "", headers: headers as Record<string, string>, body: answer.body };
  };

const capitals = rewrite((name, value) => [name.toUpperCase(), value]);
const numbers = rewrite((name, value) => [name, /^\d+$/.test(String(value)) ? Number(value) : value]);

const handOn: DelegatingHandler = (outgoing, next, { req }) => {
  const condition = req.headers["if-none-match"];
  if (condition !== undefined) outgoing.headers["if-none-match"] = condition;
  return next();
};

const answerWith =
  (named: boolean): DelegatingHandler =>
  async (outgoing, _next, { req }) => {
    const etag = `"v${version}"`;
    const isKnown = [req.headers["if-none-match"], outgoing.headers["if-none-match"]].includes(etag);
    if (isKnown) return createAnswer({ status: 304, headers: named ? { ...old, etag } : old });
    return createAnswer({ status: 200, headers: { ...old, etag }, body: `price ${version}` });
  };

describe.each(engines)("a kept answer that is not fresh, with $name,", ({ create }) => {
  test.each<[what: string, handler: DelegatingHandler]>([
    ["a handler hands on the client's condition", handOn],
    ["a handler answers by it", answerWith(true)],
    ["a handler answers by it without a tag", answerWith(false)],
  ])("is not confirmed by a 304 about what a client has: %s", async (_what, handler) => {
    await start(handler);
    expect((await route!.ask()).body).toBe("price 1");
    version = 2;
    expect((await route!.ask({ headers: { "If-None-Match": '"v2"' } })).status).toBe(304);
    const { body, headers } = await route!.ask();
    expect([body, headers.etag]).toEqual(["price 2", '"v2"']);
  });

  describe.each<[where: string, handlers: DelegatingHandler[]]>([
    ["", []],
    [" behind a handler", [passOn]],
    [" behind a handler that writes names in capitals", [capitals]],
    [" behind a handler that writes numbers", [numbers]],
  ])("is confirmed%s by what a service says of it, or asked for as a whole:", (_where, handlers) => {
    test.each<[what: string, told: Record<string, string>, body: string, calls: number]>([
      ["with another tag", { etag: '"other"' }, "price 3", 3],
      ["with another weak tag", { etag: 'W/"other"' }, "price 3", 3],
      ["with a number for a tag", { etag: "7" }, "price 3", 3],
      ["with the same tag", { etag: '"v1"' }, "price 1", 2],
      ["with the same tag, weak", { etag: 'W/"v1"' }, "price 1", 2],
      ["with another date", { "last-modified": "Tue, 02 Jan 2024 00:00:00 GMT" }, "price 3", 3],
      ["with the same date", { "last-modified": date }, "price 1", 2],
      ["with neither", {}, "price 1", 2],
    ])("%s", async (_what, told, body, calls) => {
      await startService(told, handlers);
      await route!.ask();
      const again = await route!.ask();
      expect([again.status, again.body, route!.upstream.requests.length]).toEqual([200, body, calls]);
    });
  });

  async function startService(told: Record<string, string>, handlers: DelegatingHandler[]): Promise<void> {
    route = await startCachedRoute(
      {
        answer(req, res, call) {
          const whole = { etag: '"v1"', "last-modified": date };
          const isAsked = req.headers["if-none-match"] !== undefined;
          res.writeHead(isAsked ? 304 : 200, { ...old, ...(isAsked ? told : whole) });
          res.end(isAsked ? undefined : `price ${call}`);
        },
      },
      { route: { CacheOptions: { Mode: "Rfc", BeforeHandlers: true } }, options: { engine: create(), handlers } },
    );
  }

  async function start(handler: DelegatingHandler): Promise<void> {
    version = 1;
    route = await startCachedRoute(
      {
        answer(req, res) {
          const etag = `"v${version}"`;
          res.setHeaders(new Map(Object.entries({ ...old, etag })));
          if (req.headers["if-none-match"] === etag) res.writeHead(304).end();
          else res.end(`price ${version}`);
        },
      },
      {
        route: { CacheOptions: { Mode: "Rfc", BeforeHandlers: true } },
        options: { engine: create(), handlers: [handler] },
      },
    );
  }
});
