import { hash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { type Authenticator, fromMiddleware, type GatewayOptions, memoryStore, type Store } from "../../src/index.ts";
import { type CachedRoute, startCachedRoute } from "./cached-route.ts";

let route: CachedRoute | undefined;
afterEach(async () => {
  await route?.close();
  route = undefined;
});

const key = "key-of-the-app";
const otherKey = "key-of-the-other-app";
const Keys = Object.entries({ app: key, other: otherKey }).map(([Name, own]) => ({
  Name,
  Sha256: hash("sha256", own, "hex"),
}));
const AuthenticationSchemes = { App: { Type: "ApiKey", Keys } };

const users: Readonly<Record<string, object>> = {
  "Bearer full": { sub: "ada", scope: "read write" },
  "Bearer narrow": { sub: "ada", scope: "read" },
};

type Bearing = Readonly<{ user?: object }>;

/** Takes tokens of one user for one identity, as a middleware for bearer tokens does that tells no token. */
const Session = fromMiddleware(
  (req, _res, next) => {
    Object.assign(req, { user: users[String(req.headers.authorization)] });
    next();
  },
  (req) => (req as Bearing).user,
);

/** Starts a route that keeps answers by identity, of a service that answers for a minute. */
function start(scheme: string, cache: object, options: GatewayOptions = {}): Promise<CachedRoute> {
  return startCachedRoute(
    { headers: { "Cache-Control": "max-age=60" } },
    {
      route: {
        AuthenticationOptions: { AuthenticationProviderKeys: [scheme] },
        CacheOptions: { TtlSeconds: 60, By: "Identity", ...cache },
      },
      global: { AuthenticationSchemes },
      options: { authentication: { Session }, ...options },
    },
  );
}

async function answersTo(requests: readonly Readonly<Record<string, string>>[]): Promise<readonly string[]> {
  const bodies: string[] = [];
  for (const headers of requests) bodies.push((await route!.ask({ headers })).body);
  return bodies;
}

const calls = (...numbers: readonly number[]): string[] => numbers.map((number) => `answer ${number}`);
const app = { "x-api-key": key };

test.each([{ Mode: "Ttl" }, { Mode: "Rfc" }])("users of one app get answers of their own: %o", async (cache) => {
  route = await start("App", cache);
  const [ann, ben] = ["ann", "ben"].map((user) => ({ ...app, authorization: `Bearer ${user}` }));
  const [carol, dan] = ["carol", "dan"].map((user) => ({ ...app, cookie: `sid=${user}` }));
  const got = await answersTo([app, ann!, ben!, carol!, dan!, app, ann!, ben!, carol!, dan!]);
  expect(got).toEqual(calls(1, 2, 3, 4, 5, 1, 2, 3, 4, 5));
});

/** Says who is asking, and not by what it knows that. */
const badge: Authenticator = ({ headers: { "x-badge": id } }) =>
  typeof id === "string" ? { id, claims: {} } : undefined;

test.each<[string, object, object, string]>([
  ["Vary", { Vary: "Cookie" }, {}, "cookie"],
  ["Header", {}, { Header: "X-Api-Key" }, "x-api-key"],
])("who tells no token is not known by a header that clients share: %s", async (_what, headers, cache, shared) => {
  route = await startCachedRoute(
    { headers: { "Cache-Control": "max-age=60", ...headers } },
    {
      route: {
        AuthenticationOptions: { AuthenticationProviderKeys: ["Badge"] },
        CacheOptions: { TtlSeconds: 60, ...cache },
      },
      options: { authentication: { Badge: badge } },
    },
  );
  const asked = ["ann", "ben", "ann"].map((id) => ({ "x-badge": id, [shared]: "consent=1" }));
  expect(await answersTo(asked)).toEqual(calls(1, 2, 3));
});

test("an API key has answers of its own where its header is named, and shares them with nothing else that shows", async () => {
  route = await start("App", { By: undefined, Header: "X-Api-Key" });
  const other = { "x-api-key": otherKey };
  const withCookie = { ...app, cookie: "sid=ann" };
  expect(await answersTo([app, app, other, app, other, withCookie, withCookie])).toEqual(calls(1, 1, 2, 1, 2, 3, 4));
});

test("one value is not taken for another header's, nor for two", async () => {
  route = await start("App", {});
  const headers = [
    { "x-session-id": "a", "x-user-id": "b" },
    { "x-session-id": "b", "x-user-id": "a" },
    { "x-session-id": "ab" },
    { "x-session-id": "a", "x-user-id": "" },
    { "x-user-id": "b", "x-session-id": "a" },
  ];
  expect(await answersTo(headers.map((more) => ({ ...app, ...more })))).toEqual(calls(1, 2, 3, 4, 1));
});

test("tokens of one user that middleware has recognised have answers of their own", async () => {
  route = await start("Session", {});
  const headers = ["Bearer full", "Bearer narrow", "Bearer full"].map((authorization) => ({ authorization }));
  expect(await answersTo(headers)).toEqual(calls(1, 2, 1));
});

test.each([{ Mode: "Ttl" }, { Mode: "Rfc" }])("no credential stands in a store: %o", async (cache) => {
  const kept: string[] = [];
  const set = (...entry: readonly unknown[]): Promise<void> => {
    kept.push(entry.map(String).join(" "));
    return Promise.resolve();
  };
  const entries = { get: () => Promise.resolve(undefined), set, increase: () => Promise.resolve(1) };
  const store = { take: memoryStore().take, timeout: 1, entries } as Store;
  route = await start("App", cache, { store });
  expect(await answersTo([{ ...app, authorization: "Bearer secret-of-ann", cookie: "sid=carol" }])).toEqual(calls(1));
  expect(kept.join(" ")).toContain("answer 1");
  expect(kept.join(" ")).not.toMatch(/ann|carol|key-of-the-app/);
});

const [tlsKey, cert] = ["key", "cert"].map((name) =>
  readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url)),
);

test("who shows a certificate besides gets nothing that is kept", async () => {
  route = await start("App", {});
  const settings = { key: tlsKey, cert, requestCert: true, rejectUnauthorized: false };
  const server = https.createServer(settings, route.gateway.gateway).listen(0);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const ask = async (shown: object): Promise<string> => {
    const options = { host: "127.0.0.1", port, path: "/x", headers: app, agent: false, rejectUnauthorized: false };
    const [answer] = await once(https.get({ ...options, ...shown }), "response");
    return (await (answer as { toArray: () => Promise<unknown[]> }).toArray()).join("");
  };
  const shown = { key: tlsKey, cert };
  const got = [await ask({}), await ask(shown), await ask(shown), await ask({})];
  server.close();
  expect(got).toEqual(calls(1, 2, 3, 1));
});
