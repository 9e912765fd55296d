import { Transform } from "node:stream";
import { afterEach, describe, expect, test } from "@jest/globals";
import { createAnswer, type DelegatingHandler } from "../../src/index.ts";
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
