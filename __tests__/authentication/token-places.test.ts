import { createHmac } from "node:crypto";
import { afterEach, describe, expect, test } from "@jest/globals";
import { closeAll, open, refusal, startEcho, startLive } from "../websockets/live.ts";
import { createGateway, parseConfig } from "../../src/index.ts";
import { undiciEngine } from "../../src/undici.ts";
import { request } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await closeAll();
  for (const end of ends.splice(0).reverse()) await end();
});

const Secret = "a-secret-of-at-least-32-bytes-for-hs256";
const Bearer = { Type: "Jwt", Issuer: "me", Audience: false, Secret };

/** A token signed with the secret. */
function tokenOf(claims: object = {}): string {
  const expires = Math.floor(Date.now() / 1_000) + 600;
  const parts = [{ alg: "HS256" }, { iss: "me", sub: "ada", exp: expires, ...claims }];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${text}.${createHmac("sha256", Secret).update(text).digest("base64url")}`;
}

type Arrived = Readonly<{ url: string; headers: Readonly<Record<string, string | undefined>> }>;
type Answered = Readonly<{ status: number; arrived: Arrived }>;
type Ask = (path: string, headers?: Record<string, string | string[]>) => Promise<Answered>;

/** A gateway with a locked route `/locked` and an open one `/open`, whose upstream tells what arrives. */
async function start(scheme: object, route: object = {}, options: object = {}): Promise<Ask> {
  const upstream = await startUpstream((req, res) => res.end(JSON.stringify({ url: req.url, headers: req.headers })));
  ends.push(upstream.close);
  const target = { DownstreamPathTemplate: "/", DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }] };
  const lock = { AuthenticationOptions: { AuthenticationProviderKey: "Bearer" } };
  const Routes = [
    { UpstreamPathTemplate: "/locked", ...target, ...lock, ...route },
    { UpstreamPathTemplate: "/open", ...target },
  ];
  const GlobalConfiguration = { AuthenticationSchemes: { Bearer: { ...Bearer, ...scheme } } };
  const gateway = createGateway(parseConfig({ Routes, GlobalConfiguration }, { logger: false }), {
    logger: false,
    ...options,
  });
  const { port, close } = await serve(gateway, gateway);
  ends.push(close);
  return async function ask(path, headers = {}) {
    const { status, body } = await request({ port, path, headers });
    return { status, arrived: (status === 200 ? JSON.parse(body.toString()) : {}) as Arrived };
  };
}

const token = tokenOf();

describe("A token", () => {
  const cookie = { From: "Cookie:session" };
  const query = { From: ["query:access_token"] };
  const both = { From: ["HEADER", "cookie:session"] };
  type Sent = readonly [string, Record<string, string | string[]>];
  const at = (headers: Sent[1]): Sent => ["/locked", headers];

  test.each<[string, object, Sent, number]>([
    ["in a cookie is taken", cookie, at({ cookie: `a=1; session=${token}; b=2` }), 200],
    ["in a cookie in quotes is taken", cookie, at({ cookie: `session="${token}"` }), 200],
    ["in a cookie that is sent twice is none", cookie, at({ cookie: `session=${token}; session=${token}` }), 401],
    [
      "in a cookie that two headers send is none",
      cookie,
      at({ cookie: [`session=${token}`, `session=${token}`] }),
      401,
    ],
    ["in a cookie of another case is none", cookie, at({ cookie: `Session=${token}` }), 401],
    ["in a cookie whose name only ends so is none", cookie, at({ cookie: `a-session=${token}` }), 401],
    ["in another cookie's value is none", cookie, at({ cookie: `a=session=${token}` }), 401],
    ["in a header is none where only a cookie counts", cookie, at({ authorization: `Bearer ${token}` }), 401],
    ["in a parameter is taken", query, [`/locked?a=1&access_token=${token}`, {}], 200],
    [
      "in a parameter that is sent twice is none",
      query,
      [`/locked?access_token=${token}&access_token=${token}`, {}],
      401,
    ],
    ["in a parameter that is spelt twice is none", query, [`/locked?access_token=${token}&access%5Ftoken=x`, {}], 401],
    ["in another parameter is none", query, [`/locked?token=${token}`, {}], 401],
    ["in the first place counts", both, at({ authorization: `Bearer ${token}`, cookie: "session=wrong" }), 200],
    [
      "in the second place is not asked for behind a wrong one",
      both,
      at({ authorization: "Bearer a.b.c", cookie: `session=${token}` }),
      401,
    ],
    ["in the second place is taken", both, at({ cookie: `session=${token}` }), 200],
  ])("%s", async (_title, scheme, [path, headers], status) => {
    const ask = await start(scheme);
    expect((await ask(path, headers)).status).toBe(status);
  });
});

describe.each([
  ["http-proxy-middleware", () => ({})],
  ["undici", () => ({ engine: undiciEngine() })],
])("What travels on, with %s", (_name, choose) => {
  const From = ["Header", "Cookie:session", "Query:access_token"];

  test("is no token of a cookie or a parameter, from no route", async () => {
    const ask = await start({ From }, {}, choose());
    for (const path of ["/locked", "/open"]) {
      const sent = await ask(`${path}?a=1&access_token=${token}&b=2`, { cookie: `a=1; session=${token}; b=2` });
      expect(sent.status).toBe(200);
      expect(sent.arrived.url).toBe("/?a=1&b=2");
      expect(sent.arrived.headers.cookie).toBe("a=1; b=2");
    }
  });

  test("is the verified Authorization, and no other", async () => {
    const ask = await start({ From: ["Cookie:session", "Header"] }, {}, choose());
    const authorization = `Bearer ${tokenOf({ sub: "eve" })}`;
    expect((await ask("/locked", { authorization })).arrived.headers.authorization).toBe(authorization);
    const both = await ask("/locked", { authorization, cookie: `session=${token}` });
    expect(both.arrived.headers.authorization).toBeUndefined();
  });
});

test.each<[string, object, string, string]>([
  [
    "the whole query",
    { UpstreamPathTemplate: "/all?{rest}", DownstreamPathTemplate: "/x?{rest}" },
    `/all?a=1&t=${token}&b=2`,
    "/x?a=1&b=2",
  ],
  [
    "the rest of the query",
    { UpstreamPathTemplate: "/all?a={a}&{rest}", DownstreamPathTemplate: "/x?a={a}&{rest}" },
    `/all?a=1&t=${token}&b=2`,
    "/x?a=1&b=2",
  ],
  [
    "the parameter, into the path",
    { UpstreamPathTemplate: "/all?t={t}", DownstreamPathTemplate: "/x/{t}" },
    `/all?t=${token}`,
    "/x",
  ],
  [
    "the parameter, into another one",
    { UpstreamPathTemplate: "/all?t={t}", DownstreamPathTemplate: "/x?u={t}" },
    `/all?t=${token}`,
    "/x?u=",
  ],
  [
    "everything behind a slash",
    { UpstreamPathTemplate: "/all/{everything}", DownstreamPathTemplate: "/x/{everything}" },
    `/all/y?t=${token}`,
    "/x/y",
  ],
])("a token does not travel in a placeholder for %s", async (_title, route, path, url) => {
  const ask = await start({ From: "Query:t" }, route);
  const { status, arrived } = await ask(path);
  expect([status, arrived.url]).toEqual([200, url]);
});

test("a key does not travel in a placeholder of a header template", async () => {
  const Sha256 = "83b9d507afbadf51b9afe38f69814d915decd7f6e67f537213b01487a82c1ad8";
  const scheme = { Type: "ApiKey", Keys: [{ Name: "acme", Sha256 }] };
  const none = { Issuer: undefined, Audience: undefined, Secret: undefined };
  const ask = await start(
    { ...scheme, ...none },
    { UpstreamHeaderTemplates: { "X-Api-Key": "{key}" }, DownstreamPathTemplate: "/x/{key}" },
  );
  expect((await ask("/locked", { "x-api-key": "acme-key-of-some-length" })).arrived.url).toBe("/x");
});

describe("A token among the protocols of a WebSocket", () => {
  const lock = { AuthenticationOptions: { AuthenticationProviderKey: "Bearer" } };
  const global = { AuthenticationSchemes: { Bearer: { ...Bearer, From: ["Subprotocol"] } } };

  test("opens it; the upstream hears nothing of it, and the client is answered bearer", async () => {
    const echo = await startEcho({ sockets: { handleProtocols: () => false } });
    const { url } = await startLive(echo.port, { route: lock, global });
    const socket = await open(url, {}, ["bearer", token]);
    expect(socket.protocol).toBe("bearer");
    expect(echo.arrivals[0]!.headers).not.toHaveProperty("sec-websocket-protocol");
    socket.terminate();
  });

  test("leaves the other protocols, of which the upstream chooses", async () => {
    const echo = await startEcho();
    const { url } = await startLive(echo.port, { route: lock, global });
    const socket = await open(url, {}, ["chat", "Bearer", token, "soap"]);
    expect(socket.protocol).toBe("chat");
    expect(echo.arrivals[0]!.headers["sec-websocket-protocol"]).toBe("chat, soap");
    socket.terminate();
  });

  test("does not travel from an open route either", async () => {
    const echo = await startEcho();
    const { url } = await startLive(echo.port, { global });
    const socket = await open(url, {}, ["bearer", token]);
    expect(socket.protocol).toBe("bearer");
    expect(echo.arrivals[0]!.headers).not.toHaveProperty("sec-websocket-protocol");
    socket.terminate();
  });

  test.each([
    ["that is sent twice is none", `bearer, ${token}, bearer, ${token}`],
    ["behind another word is none", `basic, ${token}`],
    ["that is missing is none", "bearer"],
    ["that is no token is none", "bearer, a!b"],
  ])("%s", async (_title, protocol) => {
    const echo = await startEcho();
    const { url } = await startLive(echo.port, { route: lock, global });
    expect((await refusal(url, { headers: { "Sec-WebSocket-Protocol": protocol } })).status).toBe(401);
  });
});

test.each<[string, object, string]>([
  ["a place is not known", { From: ["Header", "Body"] }, "scheme-place-unknown"],
  ["a cookie has no name", { From: "Cookie:" }, "scheme-place-unknown"],
  ["a header has a name", { From: "Header:X-Token" }, "scheme-place-unknown"],
  ["a place is empty", { From: [""] }, "lock-value-empty"],
  ["a cookie would have to travel", { From: "Cookie:session", Forward: true }, "scheme-contradictory"],
])("a scheme is refused where %s", (_title, wrong, code) => {
  const Routes = [
    { UpstreamPathTemplate: "/", DownstreamPathTemplate: "/", DownstreamHostAndPorts: [{ Host: "a", Port: 80 }] },
  ];
  const GlobalConfiguration = { AuthenticationSchemes: { Bearer: { ...Bearer, ...wrong } } };
  const parse = (): unknown => parseConfig({ Routes, GlobalConfiguration }, { logger: false });
  expect(parse).toThrow(expect.objectContaining({ problems: [expect.objectContaining({ code })] }));
});
