import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { RequestHandler } from "express";
import { type CachedRoute, startCachedRoute } from "./cached-route.ts";

let route: CachedRoute;

const setMap: RequestHandler = (req, _res, next) => {
  if (req.url.startsWith("/map")) req.headers["x-map-url"] = `/${String(req.headers["x-way"])}?tok=1`;
  next();
};

beforeAll(async () => {
  const Secret = "0123456789abcdef0123456789abcdef";
  const J = { Type: "Jwt", Issuer: "false", Audience: "false", Types: ["JWT"], Secret, From: ["Header", "Query:tok"] };
  route = await startCachedRoute(
    { answer: ({ headers }, res) => res.end(String(headers["x-map-url"])) },
    { global: { AuthenticationSchemes: { J } }, options: { middleware: [setMap] } },
  );
});
afterAll(() => route.close());

const callsAt = (path: string): number => route.upstream.requests.filter(({ target }) => target === path).length;
const callsFor = async (path: string, headers: readonly Readonly<Record<string, string>>[]): Promise<number> => {
  for (const one of headers) await route.ask({ path, headers: one });
  return callsAt(path);
};

test("a header out of which the gateway has taken a token tells nobody else's answers apart", async () => {
  await route.ask({ path: "/stranger", headers: { Referer: "http://a/?tok=1", "X-My-Url": "/?tok=1" } });
  const others = [{ Referer: "http://a/" }, { Referer: "http://b/" }, { "X-My-Url": "/a" }, { "X-My-Url": "/b" }];
  expect(await callsFor("/others", others)).toBe(1);
});

test("nor do a thousand such headers make all headers of others tell", async () => {
  for (let from = 0; from < 1_200; from += 300) {
    const names = Array.from({ length: 300 }, (_, index) => `X${from + index}-Url`);
    await route.ask({ path: "/stranger", headers: Object.fromEntries(names.map((name) => [name, "?tok="])) });
  }
  expect(await callsFor("/many", [{ "User-Agent": "a" }, { "User-Agent": "b" }])).toBe(1);
});

test("the request itself is told apart by what is left of it", async () => {
  const Referers = ["http://a/", "http://a/?tok=1", "http://a/?tok=2", "http://b/?tok=1", "http://b/"];
  expect(
    await callsFor(
      "/itself",
      Referers.map((Referer) => ({ Referer })),
    ),
  ).toBe(3);
});

test("what middleware sets tells, also where something is taken out of it, and clients send the very same", async () => {
  const ask = async (way: string, sent: Readonly<Record<string, string>>): Promise<string> =>
    (await route.ask({ path: "/map", headers: { "X-Way": way, ...sent } })).body;
  const answers = [
    ...[await ask("at", {}), await ask("ch", { "X-Map-Url": "/ch?tok=1" }), await ask("it", { "X-Map-Url": "/it" })],
    ...[await ask("ch", {}), await ask("it", { "X-Map-Url": "/ch?tok=1" })],
  ];
  expect(answers).toEqual(["/at", "/ch", "/it", "/ch", "/it"]);
  expect(callsAt("/map")).toBe(3);
});
