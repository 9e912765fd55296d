import { once } from "node:events";
import http, { type RequestListener } from "node:http";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { createGateway, parseConfig } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";
import { against, ends, good, inSeconds, lock, saying, sayingDeep, upstream } from "./introspecting.ts";
import { audience, gatewaySecret, type OpaqueProvider, startOpaqueProvider } from "./start-provider.ts";

describe("An opaque token of a real provider", () => {
  let provider: OpaqueProvider;
  beforeAll(async () => void (provider = await startOpaqueProvider()));
  afterAll(() => provider.close());

  const schemeOf = (more: object = {}): object => ({
    Url: provider.introspection,
    ClientSecret: gatewaySecret,
    Issuer: provider.issuer,
    Audience: audience,
    ...more,
  });

  test.each<[string, () => object, object, number]>([
    ["is let in", () => ({}), {}, 200],
    ["is let in with the scope that it has", () => ({}), { AllowedScopes: ["orders.read"] }, 200],
    ["is refused without a scope", () => ({}), { AllowedScopes: ["orders.write"] }, 403],
    ["is refused where it is another issuer's", () => ({ Issuer: "https://login.example.org" }), {}, 401],
    ["is refused where it is meant for somebody else", () => ({ Audience: "web" }), {}, 401],
    ["is refused without a required claim", () => ({ RequiredClaims: { client_id: "web" } }), {}, 401],
    ["is let in with a required claim", () => ({ RequiredClaims: { client_id: ["web", "shop"] } }), {}, 200],
    ["cannot be judged with a wrong secret", () => ({ ClientSecret: "wrong" }), {}, 503],
  ])("%s", async (_title, more, options, status) => {
    const ask = await lock(schemeOf(more()), options);
    expect(await ask(await provider.token())).toBe(status);
  });

  test("is asked about once for all who show it, and is remembered for a minute at most", async () => {
    const ask = await lock(schemeOf());
    const token = await provider.token();
    const before = provider.asked();
    expect(new Set(await Promise.all(Array.from({ length: 15 }, () => ask(token))))).toEqual(new Set([200]));
    await provider.revoke(token);
    expect(await ask(token)).toBe(200);
    expect(provider.asked() - before).toBe(1);
    jest.spyOn(Date, "now").mockReturnValue(Date.now() + 60_001);
    expect(await ask(token)).toBe(401);
    expect(provider.asked() - before).toBe(2);
  });

  test("that nobody gave out is asked about again after ten seconds", async () => {
    const ask = await lock(schemeOf());
    const before = provider.asked();
    expect([await ask("made-up"), await ask("made-up"), await ask()]).toEqual([401, 401, 401]);
    expect(provider.asked() - before).toBe(1);
    jest.spyOn(Date, "now").mockReturnValue(Date.now() + 10_001);
    expect(await ask("made-up")).toBe(401);
    expect(provider.asked() - before).toBe(2);
  });
});

describe("A server that", () => {
  test.each<[string, RequestListener, number]>([
    ["says that a token is active is believed", saying({}), 200],
    ["names no end is believed", saying({ exp: undefined }), 200],
    ["names several audiences is believed", saying({ aud: ["web", "api"] }), 200],
    ["says active in a text is not", saying({ active: "true" }), 401],
    ["says active in a number is not", saying({ active: 1 }), 401],
    ["does not say active is not", saying({ active: undefined }), 401],
    ["names another issuer is not", saying({ iss: "me/" }), 401],
    ["names no issuer is not", saying({ iss: undefined }), 401],
    ["names another audience is not", saying({ aud: ["web"] }), 401],
    ["names no audience is not", saying({ aud: undefined }), 401],
    ["says active of what has ended is not", saying({ exp: inSeconds(-100) }), 401],
    ["says active of what begins later is not", saying({ nbf: inSeconds(100) }), 401],
    ["names the end in a text is not", saying({ exp: "2099-01-01" }), 401],
    ["binds a token to a key of its client is not", saying({ cnf: { jkt: "x" } }), 401],
    ["tells claims nested as deep as a configuration may be is believed", sayingDeep(60), 200],
    ["tells claims nested by the thousand is not", sayingDeep(20_000), 401],
    ["tells those with long numbers is not", sayingDeep(20_000, "12345678901234567890"), 401],
    ["gives a list has failed", (_req, res) => res.end("[]"), 503],
    ["gives no JSON has failed", (_req, res) => res.end("<html>"), 503],
    ["gives more than 64 KiB has failed", saying({ more: "x".repeat(70_000) }), 503],
    ["answers 500 has failed", (_req, res) => res.writeHead(500).end(JSON.stringify(good)), 503],
    ["hangs up has failed", (req) => req.destroy(), 503],
  ])("%s", async (_title, listener, status) => {
    const { ask } = await against(listener);
    expect(await ask("opaque")).toBe(status);
  });

  test("sends elsewhere is not followed", async () => {
    const { ask, server } = await against((req, res) => {
      if (req.url === "/elsewhere") saying({})(req, res);
      else res.writeHead(307, { location: "/elsewhere" }).end();
    });
    expect(await ask("opaque")).toBe(503);
    expect(server.requests.map(({ target }) => target)).toEqual(["/introspect"]);
  });

  test("has an end of a token sooner than in a minute is asked again then", async () => {
    const { ask, server } = await against(saying({ exp: inSeconds(30) }));
    expect(await ask("opaque")).toBe(200);
    jest.spyOn(Date, "now").mockReturnValue(Date.now() + 30_001);
    expect(await ask("opaque")).toBe(200);
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    ["begins one more answer", '200 OK\r\nContent-Length: 16\r\n\r\n{"active":false}HTTP/1.1 200 OK\r\nX-Half:'],
    ["puts a body behind 204", "204 No Content\r\nContent-Length: 5\r\n\r\n"],
  ])("%s is asked about the next token over a new connection", async (_title, answer) => {
    const { ask, server } = await against((req) => {
      const rest = ` x\r\nContent-Length: 16\r\n\r\n{"active":false}`;
      req.resume().once("end", () => req.socket.write(connections.has(req.socket) ? rest : `HTTP/1.1 ${answer}`));
      setImmediate(() => connections.add(req.socket));
      sockets.push(req.socket);
    });
    const connections = new Set<unknown>();
    const sockets: unknown[] = [];
    await ask("one");
    const second = ask("two");
    while (server.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(sockets[1]).not.toBe(sockets[0]);
    await server.close();
    await second;
  });

  test("is asked over one connection for which twenty questions wait", async () => {
    const warned: Error[] = [];
    const warn = (warning: Error): void => void warned.push(warning);
    process.on("warning", warn);
    const { maxSockets } = http.globalAgent;
    http.globalAgent.maxSockets = 1;
    ends.push(() => {
      http.globalAgent.maxSockets = maxSockets;
      process.off("warning", warn);
    });
    const connections = new Set<unknown>();
    const { ask } = await against((req, res) => {
      connections.add(req.socket);
      saying({ more: "x".repeat(10_000) })(req, res);
    });
    const tokens = Array.from({ length: 20 }, (_, index) => `token-${index}`);
    expect(new Set(await Promise.all(tokens.map(ask)))).toEqual(new Set([200]));
    expect([connections.size, warned]).toEqual([1, []]);
  });

  test("is asked over connections that the app may upgrade for itself", async () => {
    const { ask, server } = await against(saying({}));
    server.server.on("upgrade", (_req, socket: Socket) => {
      socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: own\r\n\r\n");
      setTimeout(() => socket.end("later"), 20);
    });
    expect(await ask("one")).toBe(200);
    const upgrading = http.get(server.origin, { headers: { connection: "Upgrade", upgrade: "own" } });
    const [, socket] = (await once(upgrading, "upgrade")) as [unknown, Socket];
    expect([upgrading.reusedSocket, await text(socket)]).toEqual([true, "later"]);
  });

  test("leaves nothing behind its answers is asked over one connection", async () => {
    const sockets = new Set<unknown>();
    const { ask } = await against((req, res) => {
      sockets.add(req.socket);
      saying({})(req, res);
    });
    for (const token of ["one", "two", "three"]) expect(await ask(token)).toBe(200);
    expect(sockets.size).toBe(1);
  });

  test.each([
    ["blank lines", "", "\r\n"],
    ["zeros of a chunk's length", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "00"],
  ])("sends %s without an end is heard no longer than a head may be", async (_title, head, twoBytes) => {
    const piece = twoBytes.repeat(32_768);
    let written = 0;
    const { ask } = await against(({ socket }) => {
      const flood = (): void => {
        while (socket.writable && socket.write(piece)) written += piece.length;
      };
      socket.write(head);
      socket.on("drain", flood);
      flood();
    });
    expect(await ask("opaque")).toBe(503);
    // Most of this is what fits into the buffers of two sockets.
    expect(written).toBeLessThan(20_000_000);
  });

  test("is busy with twenty tokens is asked about no other", async () => {
    const held: (() => void)[] = [];
    const { ask, server } = await against((_req, res) => void held.push(() => saying({})(_req, res)));
    const asked = Array.from({ length: 20 }, (_, index) => ask(`token-${index}`));
    while (held.length < 20) await new Promise((resolve) => setImmediate(resolve));
    expect(await ask("one-more")).toBe(503);
    for (const answer of held) answer();
    expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
    expect(server.requests).toHaveLength(20);
  });
});

test.each([
  ["the token", (req: string) => new URLSearchParams(req).get("token")!],
  ["claims", () => '{"active":true,"sub":ada@example.org}'],
])("what a server says of %s without being JSON is in no log", async (_what, say) => {
  const server = await startUpstream((req, res) => void text(req).then((asked) => res.end(say(asked))));
  ends.push(server.close);
  const logged: unknown[] = [];
  const write = (...what: unknown[]): void => void logged.push(what);
  const more = { Url: `${server.origin}/introspect`, ClientSecret: "s", Issuer: "me", Audience: "api" };
  const ask = await lock(more, {}, { error: write, warn: write, info: write, debug: write });
  expect(await ask("opaqueToken")).toBe(503);
  expect(JSON.stringify(logged)).toContain("not valid JSON");
  expect(JSON.stringify(logged)).not.toMatch(/opaque|ada|exam/);
});

test.each<[string, (origin: string) => object]>([
  ["of its keys", (origin) => ({ Type: "Jwt", ClientId: undefined, JwksUri: `${origin}/keys?code=hunter2` })],
  ["at which it is asked", (origin) => ({ Url: `${origin}/keys?code=hunter2`, ClientSecret: "s" })],
])("what an issuer's address %s holds besides origin and path is in no log", async (_what, schemeAt) => {
  const logged: unknown[] = [];
  const write = (...what: unknown[]): void => void logged.push(what);
  const answers: RequestListener[] = [
    (_req, res) => res.writeHead(500).end(),
    (_req, res) => res.end("x".repeat(2_000_000)),
  ];
  for (const answer of answers) {
    const server = await startUpstream(answer);
    ends.push(server.close);
    const logger = { error: write, warn: write, info: write, debug: write };
    const ask = await lock({ Issuer: false, Audience: false, ...schemeAt(server.origin) }, {}, logger);
    expect(await ask("eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJleHAiOjQwMDAwMDAwMDB9.AAAA")).toBe(503);
    expect(JSON.stringify(logged)).toContain(`${server.origin}/keys answered`);
  }
  expect(JSON.stringify(logged)).not.toContain("hunter2");
});

test("an identity has the claims that the server told, and is named by issuer and subject", async () => {
  const server = await startUpstream((_req, res) => res.end('{"active":true,"iss":"me","sub":"ada","role":"admin"}'));
  ends.push(server.close);
  const seen: unknown[] = [];
  const Opaque = { Type: "Introspection", Url: server.origin, ClientId: "a", ClientSecret: "b" };
  const Routes = [
    {
      UpstreamPathTemplate: "/",
      DownstreamPathTemplate: "/",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
      AuthenticationOptions: { AuthenticationProviderKey: "Opaque" },
    },
  ];
  const AuthenticationSchemes = { Opaque: { ...Opaque, Issuer: "me", Audience: false } };
  const config = parseConfig({ Routes, GlobalConfiguration: { AuthenticationSchemes } }, { logger: false });
  const gateway = createGateway(config, {
    logger: false,
    middleware: [(_req, res, next) => (seen.push(res.locals.identity), next())],
  });
  const running = await serve(gateway, gateway);
  ends.push(running.close);
  const headers = { authorization: "Bearer opaque" };
  expect((await request({ port: running.port, path: "/", headers })).body.toString()).toBe(headers.authorization);
  const claims = { active: true, iss: "me", sub: "ada", role: "admin" };
  expect(seen).toEqual([{ id: "me ada", claims, token: "opaque", scheme: "Opaque" }]);
});

test.each<[string, object, string]>([
  ["nobody says where to ask", { Url: undefined }, "scheme-incomplete"],
  ["nobody says as whom", { ClientId: undefined }, "scheme-incomplete"],
  ["there is no secret", { ClientSecret: undefined }, "scheme-incomplete"],
  ["nobody says whose tokens", { Issuer: undefined }, "scheme-incomplete"],
  ["nobody says for whom", { Audience: undefined }, "scheme-incomplete"],
  ["the secret would be read on the way", { Url: "http://login.example.org/introspect" }, "scheme-url-invalid"],
  ["a key of signed tokens stands there", { JwksUri: "https://login.example.org/jwks" }, "scheme-contradictory"],
  ["a required claim has no value", { RequiredClaims: { tenant: [] } }, "lock-value-empty"],
  ["required claims are a text", { RequiredClaims: "tenant" }, "scheme-contradictory"],
])("a scheme is refused where %s", (_title, wrong, code) => {
  const right = { Url: "https://login.example.org/introspect", ClientId: "a", ClientSecret: "b", Issuer: "me" };
  const Opaque = { Type: "Introspection", ...right, Audience: "api", ...wrong };
  const Routes = [
    { UpstreamPathTemplate: "/", DownstreamPathTemplate: "/", DownstreamHostAndPorts: [{ Host: "a", Port: 80 }] },
  ];
  const parse = (): unknown =>
    parseConfig({ Routes, GlobalConfiguration: { AuthenticationSchemes: { Opaque } } }, { logger: false });
  expect(parse).toThrow(expect.objectContaining({ problems: [expect.objectContaining({ code })] }));
});
