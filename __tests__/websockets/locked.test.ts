import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import express from "express";
import { type Authenticator, type GatewayConfig, parseConfig } from "../../src/index.ts";
import {
  closeAll,
  closeCode,
  exchange,
  liveGateway,
  type LiveParts,
  open,
  refusal,
  startEcho,
  startLive,
} from "./live.ts";

afterEach(async () => {
  jest.restoreAllMocks();
  await closeAll();
});

const key = "acme-key-of-some-length";
const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");
const Partners = { Type: "ApiKey", Keys: [{ Name: "acme", Sha256: digestOf(key) }] };
const byKey = { AuthenticationOptions: { AuthenticationProviderKey: "Partners" } };

const Secret = "a-secret-of-at-least-32-bytes-for-hs256";
const Session = { Type: "Jwt", Issuer: "me", Audience: false, Secret, ClockTolerance: 0.001, From: "Cookie:session" };
const bySession = { AuthenticationOptions: { AuthenticationProviderKey: "Session" } };

/** A cookie with a token that is valid for ten minutes. */
function cookieOf(): string {
  const parts = [{ alg: "HS256" }, { iss: "me", sub: "ada", exp: Date.now() / 1_000 + 600 }];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `session=${text}.${createHmac("sha256", Secret).update(text).digest("base64url")}`;
}

test("a WebSocket on a locked route needs a key, and the upstream hears neither of a refused one nor of the key", async () => {
  const echo = await startEcho();
  const { url } = await startLive(echo.port, { route: byKey, global: { AuthenticationSchemes: { Partners } } });
  expect((await refusal(url)).status).toBe(401);
  expect((await refusal(url, { headers: { "x-api-key": `${key}x` } })).status).toBe(401);
  expect(echo.arrivals).toHaveLength(0);
  const socket = await open(url, { headers: { "x-api-key": key } });
  expect(echo.arrivals).toHaveLength(1);
  expect(echo.arrivals[0]!.headers).not.toHaveProperty("x-api-key");
  socket.terminate();
});

test("a WebSocket that leaves its gateway outlives, behind another one, what opened the first", async () => {
  const echo = await startEcho();
  const ended: Authenticator = () => ({ id: "ada", claims: { exp: 1 } });
  const first = liveGateway(echo.port, {
    route: { AuthenticationOptions: { AuthenticationProviderKey: "Ended" } },
    options: { authentication: { Ended: ended }, middleware: [(_req, _res, next) => next("router")] },
  });
  const { url } = await startLive(echo.port, { app: (second) => express().use(first, second) });
  const socket = await open(url);
  const closed = once(socket, "close");
  expect(await Promise.race([exchange(socket, "a"), closed])).toMatchObject({ message: Buffer.from("a") });
  socket.close(1000);
  expect((await closed)[0]).toBe(1000);
});

describe("A WebSocket whose client is known by a cookie", () => {
  const global = { AuthenticationSchemes: { Session } };
  const page = "https://app.example.org";
  const listed = { AllowedOrigins: [`${page}/`] };
  const proxied = { "x-forwarded-proto": "https", "x-forwarded-host": "app.example.org" };
  type Headers = (own: string) => Record<string, string>;

  test.each<[string, LiveParts, Headers, boolean]>([
    ["opens from the gateway's own pages", {}, (origin) => ({ origin }), true],
    ["opens from no other page", {}, () => ({ origin: page }), false],
    ["opens from no page of another scheme", {}, (own) => ({ origin: own.replace("http:", "https:") }), false],
    ["opens from no page of another port", {}, (own) => ({ origin: `${own}0` }), false],
    ["opens from no page without an origin", {}, () => ({ origin: "null" }), false],
    ["does not open without a page", {}, () => ({}), false],
    ["opens from a page of AllowedOrigins", { route: listed }, () => ({ origin: page }), true],
    ["opens from one of AllowedOrigins alone", { route: listed }, (origin) => ({ origin }), false],
    ["needs a page where AllowedOrigins are", { route: listed }, () => ({}), false],
    ["opens from a page of all routes' origins", { global: listed }, () => ({ origin: page }), true],
    ["opens from a page of the option", { options: { allowedOrigins: [page] } }, () => ({ origin: page }), true],
    [
      "is not opened to any page by the option",
      { options: { allowedOrigins: ["*"] } },
      () => ({ origin: page }),
      false,
    ],
    [
      "is on the host that a trusted proxy tells",
      { options: { trustProxy: true } },
      () => ({ ...proxied, origin: page }),
      true,
    ],
    ["is on no host that anybody else tells", {}, () => ({ ...proxied, origin: page }), false],
  ])("%s", async (_title, parts, headersFor, opens) => {
    const echo = await startEcho();
    const running = await startLive(echo.port, {
      ...parts,
      route: { ...bySession, ...parts.route },
      global: { ...global, ...parts.global },
    });
    const options = { headers: { cookie: cookieOf(), ...headersFor(running.origin) } };
    if (opens) (await open(running.url, options)).terminate();
    else expect(await refusal(running.url, options)).toMatchObject({ status: 403 });
    expect(echo.arrivals).toHaveLength(opens ? 1 : 0);
  });

  const told: Authenticator = Object.assign(() => ({ id: "1", claims: {} }), { reads: { cookies: ["sid"] } });
  const untold: Authenticator = () => ({ id: "1", claims: {} });
  const byAllCookies: Authenticator = Object.assign(() => ({ id: "1", claims: {} }), {
    reads: { headers: ["Cookie"] },
  });
  const byHeader: Authenticator = Object.assign(() => ({ id: "1", claims: {} }), { reads: { headers: ["x-who"] } });

  // As JavaScript lets one write it.
  const later = Object.assign(() => ({ id: "1", claims: {} }), {
    isFromCookie: () => Promise.reject(new Error("The session's store is away.")),
  }) as unknown as Authenticator;

  test.each<[string, Authenticator, string | undefined, boolean]>([
    ["of a scheme that tells in a promise whether it reads it", later, "sid=1", false],
    ["of a scheme that reads it", told, "sid=1", false],
    ["of another name, of a scheme that reads one", told, "other=1", true],
    ["of any name, of a scheme that tells nothing", untold, "other=1", false],
    ["is sent by nobody, of a scheme that tells nothing", untold, undefined, true],
    ["of any name, of a scheme that reads their header", byAllCookies, "other=1", false],
    ["of a scheme that reads headers", byHeader, "other=1", true],
  ])("has a page: a cookie %s", async (_title, own, cookie, opens) => {
    const echo = await startEcho();
    const { url } = await startLive(echo.port, {
      route: { AuthenticationOptions: { AuthenticationProviderKey: "own" } },
      options: { authentication: { own } },
    });
    const options = { headers: cookie === undefined ? {} : { cookie } };
    if (opens) (await open(url, options)).terminate();
    else expect((await refusal(url, options)).status).toBe(403);
  });

  test("cannot be opened to every page", () => {
    const route = {
      UpstreamPathTemplate: "/live",
      DownstreamPathTemplate: "/live",
      DownstreamScheme: "ws",
      DownstreamHostAndPorts: [{ Host: "localhost", Port: 80 }],
      AllowedOrigins: ["*"],
      ...bySession,
    };
    const parse = (): unknown => parseConfig({ Routes: [route], GlobalConfiguration: global }, { logger: false });
    expect(parse).toThrow(expect.objectContaining({ problems: [expect.objectContaining({ code: "origin-any" })] }));
  });
});

describe("When the token that opened it ends, a WebSocket", () => {
  const global = { AuthenticationSchemes: { Session } };
  const endingIn = (seconds: number): Authenticator =>
    Object.assign(() => ({ id: "1", claims: { exp: Date.now() / 1_000 + seconds } }), { reads: {} });

  /** A cookie that ends in a moment, however long it takes until it is shown: the clock stands still. */
  function endingCookie(): string {
    const begun = Date.now();
    const clock = jest.spyOn(Date, "now").mockReturnValue(begun);
    const cookie = cookieOf();
    clock.mockReturnValue(begun + 599_950);
    return cookie;
  }

  test("gets 1008 on both sides", async () => {
    const echo = await startEcho();
    const { url, origin } = await startLive(echo.port, { route: bySession, global });
    const socket = await open(url, { headers: { cookie: endingCookie(), origin } });
    expect(await closeCode(socket)).toBe(1008);
    expect(echo.closes).toEqual([1008]);
  });

  test("gets it at once where the token ended with 1970", async () => {
    const echo = await startEcho();
    const ended: Authenticator = Object.assign(() => ({ id: "1", claims: { exp: 0 } }), { reads: {} });
    const { url } = await startLive(echo.port, {
      route: { AuthenticationOptions: { AuthenticationProviderKey: "own" } },
      options: { authentication: { own: ended } },
    });
    expect(await closeCode(await open(url))).toBe(1008);
  });

  test("goes on where the scheme says so", async () => {
    const echo = await startEcho();
    const outliving = { AuthenticationSchemes: { Session: { ...Session, SocketsOutliveToken: true } } };
    const { url, origin } = await startLive(echo.port, { route: bySession, global: outliving });
    const ending = await startLive(echo.port, {
      route: { AuthenticationOptions: { AuthenticationProviderKey: "own" } },
      options: { authentication: { own: endingIn(0.1) } },
    });
    const socket = await open(url, { headers: { cookie: endingCookie(), origin } });
    // By then the token has ended, too.
    expect(await closeCode(await open(ending.url))).toBe(1008);
    expect((await exchange(socket, "still here")).message.toString()).toBe("still here");
    socket.terminate();
  });

  test.each([
    ["a promise that fails", () => Promise.reject(new Error("The session's store is away."))],
    ["no number", () => NaN],
  ])("is not opened where the scheme tells %s for its end", async (_what, socketEnd) => {
    const echo = await startEcho();
    const own = Object.assign(() => ({ id: "1", claims: {} }), { socketEnd }) as unknown as Authenticator;
    const { url } = await startLive(echo.port, {
      route: { AuthenticationOptions: { AuthenticationProviderKey: "own" } },
      options: { authentication: { own } },
    });
    expect((await refusal(url)).status).toBe(500);
    expect(echo.arrivals).toEqual([]);
  });

  test("stays open for a token of a hundred years", async () => {
    const echo = await startEcho();
    const authentication = { own: endingIn(3_000_000_000) };
    const route = { AuthenticationOptions: { AuthenticationProviderKey: "own" } };
    const { url } = await startLive(echo.port, { route, options: { authentication } });
    const socket = await open(url);
    expect((await exchange(socket, "one")).message.toString()).toBe("one");
    expect((await exchange(socket, "two")).message.toString()).toBe("two");
    socket.terminate();
  });
});

describe("A reload ends the WebSockets of a route", () => {
  const global = { AuthenticationSchemes: { Partners } };
  const routeTo = (port: number, more: object = {}): object => ({
    UpstreamPathTemplate: "/live/{room}",
    DownstreamPathTemplate: "/rooms/{room}",
    DownstreamScheme: "ws",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }],
    ...more,
  });
  const otherKey = { ...Partners, Keys: [{ Name: "acme", Sha256: digestOf("another") }] };
  const scoped = { AuthenticationOptions: { AuthenticationProviderKey: "Partners", AllowedScopes: ["a"] } };

  test.each<[string, object, object, object, number]>([
    ["that gets a lock", {}, byKey, global, 1008],
    ["that gets a lock of all routes", {}, {}, { ...global, ...byKey }, 1008],
    ["whose lock asks for more", byKey, scoped, global, 1008],
    ["whose scheme changes", byKey, byKey, { AuthenticationSchemes: { Partners: otherKey } }, 1008],
    ["that gets a list of origins", {}, { AllowedOrigins: ["https://app.example.org"] }, global, 1008],
    ["that loses its lock", byKey, {}, global, 1001],
    ["that changes in something else", byKey, { ...byKey, Timeout: 7 }, global, 1001],
  ])("%s", async (_title, before, after, shared, code) => {
    const echo = await startEcho();
    const { url, gateway } = await startLive(echo.port, { route: before, global });
    const socket = await open(url, { headers: { "x-api-key": key } });
    const closed = closeCode(socket);
    const next: GatewayConfig = parseConfig(
      { Routes: [routeTo(echo.port, after)], GlobalConfiguration: shared },
      { logger: false },
    );
    await gateway.reload(next);
    expect(await closed).toBe(code);
  });
});
