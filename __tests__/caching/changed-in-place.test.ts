import { Transform } from "node:stream";
import { afterEach, describe, expect, test } from "@jest/globals";
import {
  createAnswer,
  type DelegatingHandler,
  type GatewayOptions,
  metadataResponder,
  type Responder,
} from "../../src/index.ts";
import { changingPieces, changingWrites, fillGap, gap } from "../helpers/change-in-place.ts";
import { engines } from "../helpers/engines.ts";
import { type CachedRoute, type Service, startCachedRoute } from "./cached-route.ts";

let route: CachedRoute | undefined;
afterEach(async () => {
  await route?.close();
  route = undefined;
});

/** Adds the client's name to a list of the answer, as handlers add links. */
const addName: DelegatingHandler = async (_outgoing, next, { req }) => {
  const answer = await next();
  (answer.headers.link as string[]).push(`<for-${String(req.headers["x-name"])}>`);
  return answer;
};

const filling = changingPieces(fillGap);
const wrapping = metadataResponder();
const { matched, started } = wrapping;
const wrapAndFill: Responder = (answer, context, respond) =>
  wrapping(answer, context, () => Promise.resolve(filling(answer, context, respond)));

/** What fills a gap in a page, by who fills it. */
const fillers: Record<string, GatewayOptions> = {
  middleware: { middleware: [changingWrites(fillGap)] },
  "a responder": { responder: filling },
  "a responder behind the one that wraps JSON": { responder: Object.assign(wrapAndFill, { matched, started }) },
};

const pages = [
  ["short", [`{"a":"${gap}"}`]],
  ["long", [`{"a":"${gap}${"-".repeat(200_000)}"}`]],
  ["slow", ['{"a":"', gap, '"}']],
] as const;

/** Makes the text upper case in the memory in which it comes. */
const shout: DelegatingHandler = async (_outgoing, next) => {
  const answer = await next();
  answer.body = answer.body.pipe(
    new Transform({
      transform(piece: Buffer, _encoding, done) {
        for (let at = 0; at < piece.length; at += 1) piece[at]! ^= 0x20;
        done(null, piece);
      },
    }),
  );
  return answer;
};

describe.each(engines)("what a handler changes in place stays with its client, with $name:", ({ create }) => {
  async function start(service: Service, handler: DelegatingHandler): Promise<void> {
    route = await startCachedRoute(service, { options: { engine: create(), handlers: [handler] } });
  }

  test("a list of the headers", async () => {
    await start({ headers: { link: ["<a>", "<b>"] } }, addName);
    const got = [];
    for (const name of ["ann", "ben", "carl"]) got.push(await route!.ask({ headers: { "x-name": name } }));
    expect(got.map(({ headers }) => headers.link)).toEqual(
      ["ann", "ben", "carl"].map((name) => `<a>, <b>, <for-${name}>`),
    );
    expect(route!.upstream.requests).toHaveLength(1);
  });

  const bodies = [
    { kind: "a short one", pieces: ["some text"] },
    { kind: "one that is longer than what is joined with its head", pieces: ["text".repeat(50_000)] },
    { kind: "one that comes in pieces", pieces: ["one ", "two ", "three"] },
  ];

  test.each(bodies)("the body, $kind", async ({ pieces }) => {
    const answer: Service["answer"] = (_req, res) => {
      const [piece, ...rest] = pieces;
      res.write(piece);
      const timers = rest.map((later, index) => setTimeout(() => res.write(later), 30 * (index + 1)));
      setTimeout(() => res.end(), 30 * (timers.length + 1));
    };
    await start({ answer }, shout);
    const got = [await route!.ask(), await route!.ask(), await route!.ask(), await route!.ask()];
    const whole = Buffer.from(pieces.join("")).map((byte) => byte ^ 0x20);
    expect(got.map(({ body }) => body)).toEqual(Array(4).fill(Buffer.from(whole).toString("latin1")));
    expect(route!.upstream.requests).toHaveLength(1);
  });

  test.each(Object.keys(fillers).flatMap((who) => pages.map(([how, pieces]) => ({ who, how, pieces }))))(
    "what $who fills in on a $how page",
    async ({ who, pieces }) => {
      const answer: Service["answer"] = (_req, res) => {
        res.setHeader("content-type", "application/json");
        const [last, ...others] = pieces.toReversed();
        others.reverse().forEach((piece, index) => setTimeout(() => res.write(piece), 30 * index));
        setTimeout(() => res.end(last), 30 * others.length);
      };
      route = await startCachedRoute({ answer }, { options: { engine: create(), ...fillers[who] } });
      const got: string[] = [];
      for (const name of ["ann", "ben", "carl"]) got.push((await route.ask({ headers: { "x-name": name } })).body);
      const names = got.map((body) => /"a":"(\w+)/.exec(body)?.[1]);
      expect([names, route.upstream.requests.length]).toEqual([["ann", "ben", "carl"], 1]);
    },
  );
});

test("middleware gets a long kept answer piece by piece, as clients that read nothing keep all that it was given", async () => {
  const lengths: number[] = [];
  const middleware = [changingWrites(({ length }) => void lengths.push(length))];
  route = await startCachedRoute({ body: "-".repeat(200_000) }, { options: { middleware } });
  await route.ask();
  lengths.splice(0);
  expect((await route.ask()).body).toHaveLength(200_000);
  expect([Math.max(...lengths), route.upstream.requests.length]).toEqual([65_536, 1]);
});

test.each(Object.keys(fillers))("bytes that a handler keeps stay as they are, whatever %s fills in", async (who) => {
  const page = Buffer.from(`{"a":"${gap}"}`);
  const headers = { "content-type": "application/json" };
  const handlers: DelegatingHandler[] = [() => Promise.resolve(createAnswer({ status: 200, headers, body: page }))];
  const caching = { CacheOptions: { TtlSeconds: 20, BeforeHandlers: true } };
  route = await startCachedRoute({}, { route: caching, options: { handlers, ...fillers[who] } });
  const ask = async (name: string): Promise<string> =>
    (await route!.ask({ path: `/${name}`, headers: { "x-name": name } })).body;
  expect([await ask("ann"), await ask("ben")]).toEqual([
    expect.stringContaining("ann-"),
    expect.stringContaining("ben-"),
  ]);
  expect(page.toString()).toContain(gap);
});

test("an answer that a handler gives to all clients stays as it is where a kept one is given in its place", async () => {
  const constant = createAnswer({ status: 503, body: "Back soon." });
  const headers = { "Cache-Control": "max-age=10, stale-if-error=60", Age: "11" };
  const handlers: DelegatingHandler[] = [
    (_outgoing, next) => (route!.upstream.requests.length > 0 ? Promise.resolve(constant) : next()),
  ];
  const caching = { CacheOptions: { Mode: "Rfc", BeforeHandlers: true } };
  route = await startCachedRoute({ headers }, { route: caching, options: { handlers } });
  const got = [];
  for (const path of ["/a", "/a", "/b"]) got.push(await route.ask({ path }));
  expect(got.map(({ status, body }) => [status, body])).toEqual([
    [200, "answer 1"],
    [200, "answer 1"],
    [503, "Back soon."],
  ]);
});
