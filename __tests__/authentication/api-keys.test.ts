import { createHash } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import { afterEach, describe, expect, test } from "@jest/globals";
import express from "express";
import {
  type Authenticator,
  createGateway,
  type GatewayOptions,
  parseConfig,
  problemDetails,
} from "../../src/index.ts";
import { undiciEngine } from "../../src/undici.ts";
import { request } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const acme = "acme-key-of-some-length";
const sha256 = (key: string): string => createHash("sha256").update(key).digest("hex");
const Partners = { Type: "ApiKey", Keys: [{ Name: "acme", Sha256: sha256(acme), Claims: { plan: "gold" } }] };
const locked = { AuthenticationOptions: { AuthenticationProviderKeys: ["Partners"] } };

type Mounting = "Express" | "node:http";
type Given = Readonly<{ global?: object; route?: object; options?: GatewayOptions; mounting?: Mounting }>;

/** A gateway whose upstream tells the headers and the query that arrive; `/open` is a route without a lock. */
async function start({ global = {}, route = locked, options = {}, mounting = "node:http" }: Given = {}): Promise<{
  port: number;
  arrived: string[];
}> {
  const arrived: string[] = [];
  const upstream = await startUpstream((req, res) => {
    arrived.push(req.url!);
    res.end(JSON.stringify({ headers: req.headers, url: req.url }));
  });
  ends.push(upstream.close);
  const target = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }] };
  const Routes = [
    { Key: "locked", UpstreamPathTemplate: "/locked", DownstreamPathTemplate: "/", ...target, ...route },
    { Key: "open", UpstreamPathTemplate: "/open", DownstreamPathTemplate: "/", ...target },
  ];
  const config = parseConfig(
    { Routes, GlobalConfiguration: { AuthenticationSchemes: { Partners }, ...global } },
    { logger: false },
  );
  const gateway = createGateway(config, { logger: false, ...options });
  const app =
    mounting === "Express"
      ? express()
          .use(gateway)
          .use(problemDetails({ logger: false }))
      : gateway;
  const running = await serve(app, gateway);
  ends.push(running.close);
  return { port: running.port, arrived };
}

describe.each(["Express", "node:http"] as const)("An API key, in %s", (mounting) => {
  test.each([
    ["is let in", { "x-api-key": acme }, 200],
    ["is asked for", {}, 401],
    ["is not guessed", { "x-api-key": `${acme}x` }, 401],
    ["is not empty", { "x-api-key": "" }, 401],
    ["is not its digest", { "x-api-key": sha256(acme) }, 401],
    ["is not taken from elsewhere", { authorization: `Bearer ${acme}` }, 401],
    ["that is sent twice is none", { "x-api-key": [acme, acme] }, 401],
  ])("%s", async (_title, headers, status) => {
    const { port, arrived } = await start({ mounting });
    const answer = await request({ port, path: "/locked", headers });
    expect(answer.status).toBe(status);
    expect(arrived).toHaveLength(status === 200 ? 1 : 0);
    if (status === 200) return;
    expect(answer.headers["www-authenticate"]).toBe('ApiKey header="X-Api-Key"');
    expect(answer.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(JSON.parse(answer.body.toString())).toMatchObject({ status: 401, code: "authentication-required" });
  });
});

test.each([
  ["http-proxy-middleware", undefined],
  ["undici", undiciEngine()],
])("a key never travels on, from no route, with %s", async (_name, engine) => {
  const { port } = await start(engine === undefined ? {} : { options: { engine } });
  for (const path of ["/locked", "/open"]) {
    const { body } = await request({ port, path, headers: { "x-api-key": acme, "x-other": "kept" } });
    const { headers } = JSON.parse(body.toString()) as { headers: Record<string, string> };
    expect(headers).toMatchObject({ "x-other": "kept" });
    expect(headers).not.toHaveProperty("x-api-key");
  }
});

test("middleware sees who is asking, and nobody's identity from elsewhere", async () => {
  const seen: unknown[] = [];
  const { port } = await start({
    options: { middleware: [(_req, res, next) => (seen.push(res.locals.identity), next())] },
    mounting: "Express",
  });
  await request({ port, path: "/locked", headers: { "x-api-key": acme, identity: "root" } });
  await request({ port, path: "/open" });
  expect(seen).toEqual([{ id: "acme", claims: { sub: "acme", plan: "gold" }, scheme: "Partners" }, undefined]);
  expect(Object.isFrozen(seen[0]) && Object.isFrozen((seen[0] as { claims: object }).claims)).toBe(true);
});

describe("Schemes of the user's own", () => {
  const nobody: Authenticator = () => undefined;
  const somebody: Authenticator = async () => Promise.resolve({ id: "7", claims: { sub: "7" } });
  const broken: Authenticator = () => {
    throw new Error("The issuer is away.");
  };
  const odd = (() => ({ name: "no identity" })) as unknown as Authenticator;

  test.each<[string, readonly string[], number, string | undefined]>([
    ["the first success counts", ["nobody", "somebody", "broken"], 200, undefined],
    ["a failure is passed over where another succeeds", ["broken", "somebody"], 200, undefined],
    ["a failure and no success is 503", ["nobody", "broken"], 503, "authentication-unavailable"],
    ["what is no identity is a failure", ["odd"], 503, "authentication-unavailable"],
    ["nobody recognised is 401", ["nobody"], 401, "authentication-required"],
  ])("%s", async (_title, AuthenticationProviderKeys, status, code) => {
    const { port } = await start({
      route: { AuthenticationOptions: { AuthenticationProviderKeys } },
      options: { authentication: { nobody, somebody, broken, odd } },
    });
    const { status: answered, headers, body } = await request({ port, path: "/locked" });
    expect(answered).toBe(status);
    if (code !== undefined) expect(JSON.parse(body.toString())).toMatchObject({ code });
    if (status === 503) expect(headers["retry-after"]).toBe("5");
  });

  test.each<[how: string, giveUp: () => undefined]>([
    ["recognises nobody", () => undefined],
    [
      "gives up",
      () => {
        throw new Error("Nobody waits any more.");
      },
    ],
  ])(
    "when a client has left and the busy scheme %s, no other one is asked and nothing is logged",
    async (_how, giveUp) => {
      const seen: string[] = [];
      const busy: Authenticator = async (_req, { signal }) => {
        seen.push("busy");
        await once(signal, "abort");
        return giveUp();
      };
      const other: Authenticator = () => void seen.push("other");
      const logger = { debug: note, info: () => undefined, warn: note, error: note };
      const { port, arrived } = await start({
        route: { AuthenticationOptions: { AuthenticationProviderKeys: ["busy", "other"] } },
        options: { authentication: { busy, other }, logger },
      });
      const leaving = http.get({ port, path: "/locked" }).on("error", () => undefined);
      while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => leaving.on("close", resolve).destroy());
      // Another request is through only when the gateway has heard that the first client is gone.
      await request({ port, path: "/open" });
      expect(seen).toEqual(["busy"]);
      expect(arrived).toEqual(["/"]);

      function note(fields: object): void {
        if ("scheme" in fields) seen.push("logged");
      }
    },
  );

  test("a client that leaves while a scheme is busy reaches nobody", async () => {
    let release: (() => void) | undefined;
    const busy: Authenticator = async () => {
      await new Promise<void>((resolve) => (release = resolve));
      return { id: "1", claims: {} };
    };
    const { port, arrived } = await start({
      route: { AuthenticationOptions: { AuthenticationProviderKey: "busy" } },
      options: { authentication: { busy } },
    });
    const leaving = new AbortController();
    const left = fetch(`http://127.0.0.1:${port}/locked`, { signal: leaving.signal }).catch(() => "left");
    while (release === undefined) await new Promise((resolve) => setImmediate(resolve));
    leaving.abort();
    expect(await left).toBe("left");
    // Another request is through only when the gateway has heard that the first client is gone.
    await request({ port, path: "/open" });
    release();
    await request({ port, path: "/open" });
    expect(arrived).toHaveLength(2);
  });
});

describe("A CORS preflight", () => {
  const origin = "https://app.example.org";

  test.each([
    ["passes", { origin, "access-control-request-method": "GET" }, 200],
    ["without the method that is asked for is none", { origin }, 401],
    ["without an origin is none", { "access-control-request-method": "GET" }, 401],
    ["with an empty origin is none", { origin: "", "access-control-request-method": "GET" }, 401],
    ["that asks for an empty method is none", { origin, "access-control-request-method": "" }, 401],
  ])("%s", async (_title, headers, status) => {
    const { port } = await start();
    expect((await request({ port, path: "/locked", method: "OPTIONS", headers })).status).toBe(status);
  });

  test("travels without credentials, and without what makes another method of it", async () => {
    const { port } = await start();
    const credentials = { cookie: "session=1", authorization: "Basic YTpi", "x-api-key": acme, "x-auth-token": "t" };
    const personal = { "x-session": "1", dpop: "t", "x-client-cert": "c", "client-cert": "c", "x-remote-user": "root" };
    const cleaned = { ...credentials, ...personal, "x-host": "other", "X-Script-Name": "/admin" };
    const methods = { "x-http-method-override": "DELETE", x_http_method: "DELETE", "X-Method-Override": "DELETE" };
    const overrides = { ...methods, "x-method": "DELETE", X_Method: "DELETE", Method: "DELETE" };
    const kept = { origin, "access-control-request-method": "GET", "access-control-request-headers": "x-api-key" };
    const headers = { ...cleaned, ...overrides, ...kept };
    const answer = await request({ port, path: "/locked", method: "OPTIONS", headers });
    const arrived = (JSON.parse(answer.body.toString()) as { headers: Record<string, string> }).headers;
    expect(arrived).toMatchObject(kept);
    const names = [...Object.keys(cleaned), ...Object.keys(overrides)].map((name) => name.toLowerCase());
    expect(Object.keys(arrived).filter((name) => names.includes(name))).toEqual([]);
  });

  test("travels without another method, also where a trusted proxy tells it", async () => {
    const { port } = await start({ options: { trustProxy: "loopback" } });
    const told = { "X-Original-Method": "DELETE", "X-Forwarded-Method": "DELETE" };
    const kept = { origin, "access-control-request-method": "GET", "x-original-url": "/asked" };
    const answer = await request({ port, path: "/locked", method: "OPTIONS", headers: { ...told, ...kept } });
    const { headers } = JSON.parse(answer.body.toString()) as { headers: Record<string, string> };
    expect(headers).toMatchObject(kept);
    expect(Object.values(headers)).not.toContain("DELETE");
  });

  test.each<[what: string, template: string, path: string, arrives: string]>([
    ["_method", "/locked", "/locked?a=1&_method=DELETE&b=2", "/?a=1&b=2"],
    ["in another spelling", "/locked", "/locked?%5fMETHOD[]=DELETE;c=3", "/?c=3"],
    ["a header's name", "/locked", "/locked?X-HTTP-Method-Override=DELETE", "/"],
    ["among all the others", "/locked?{rest}", "/locked?a=1&_method=DELETE", "/?a=1"],
  ])("travels without parameters that make another method of it: %s", async (_what, template, path, arrives) => {
    const DownstreamPathTemplate = template.replace("/locked", "/");
    const { port } = await start({
      route: { ...locked, UpstreamPathTemplate: template, DownstreamPathTemplate },
    });
    const preflight = { origin, "access-control-request-method": "GET" };
    const arrivedAt = async (method: string, headers: object): Promise<string> => {
      const { body } = await request({ port, path, method, headers: { ...headers } });
      return (JSON.parse(body.toString()) as { url: string }).url;
    };
    expect(await arrivedAt("OPTIONS", preflight)).toBe(arrives);
    expect(await arrivedAt("GET", { "x-api-key": acme })).toBe(path.replace("/locked", "/"));
  });
});

describe("Global and route", () => {
  const AuthenticationProviderKeys = ["Partners"];

  test.each<[string, object, object, number]>([
    ["a global scheme locks every route", { AuthenticationProviderKeys }, {}, 401],
    ["a route may stand open", { AuthenticationProviderKeys }, { AllowAnonymous: true }, 200],
    ["RouteKeys lock only the routes that they name", { AuthenticationProviderKeys, RouteKeys: ["open"] }, {}, 200],
    [
      "a global AllowAnonymous opens no route that names a scheme",
      { AllowAnonymous: true },
      { AuthenticationProviderKeys },
      401,
    ],
    ["a global AllowAnonymous opens the others", { AuthenticationProviderKeys, AllowAnonymous: true }, {}, 200],
  ])("%s", async (_title, global, own, status) => {
    const { port } = await start({
      global: { AuthenticationOptions: global },
      route: Object.keys(own).length === 0 ? {} : { AuthenticationOptions: own },
    });
    expect((await request({ port, path: "/locked" })).status).toBe(status);
  });
});

test.each<[what: string, transform: object]>([
  ["a header", { AddHeadersToRequest: { "X-User": "Claims[sub] > value" } }],
  ["a parameter", { AddQueriesToRequest: { user: "Claims[sub] > value" } }],
  ["a claim", { AddClaimsToRequest: { user: "Claims[sub] > value" } }],
])("a global AllowAnonymous opens no route that makes %s from claims", async (_what, transform) => {
  const { port, arrived } = await start({
    global: { AuthenticationOptions: { AuthenticationProviderKeys: ["Partners"], AllowAnonymous: true } },
    route: transform,
  });
  expect((await request({ port, path: "/open" })).status).toBe(200);
  expect((await request({ port, path: "/locked" })).status).toBe(401);
  expect((await request({ port, path: "/locked", headers: { "x-api-key": acme } })).status).toBe(200);
  expect(arrived).toHaveLength(2);
});

test("the start fails where a scheme is missing, and shows the lines that would supply it", () => {
  const Routes = [
    {
      Key: "orders",
      UpstreamPathTemplate: "/",
      DownstreamPathTemplate: "/",
      DownstreamHostAndPorts: [{ Host: "localhost", Port: 9 }],
      AuthenticationOptions: { AuthenticationProviderKey: "Bearer" },
    },
  ];
  expect(() => createGateway(parseConfig({ Routes }, { logger: false }))).toThrow(
    expect.objectContaining({
      code: "name-unknown",
      message: [
        '"AuthenticationOptions" of route "orders" names "Bearer": "AuthenticationSchemes", with the option authentication of createGateway(), has no names. Pass it in code, or write it into the configuration:',
        '"GlobalConfiguration": {',
        '  "AuthenticationSchemes": {',
        '    "Bearer": { "Type": "Jwt", "Issuer": "https://…", "Audience": "…" }',
        "  }",
        "}",
      ].join("\n"),
    }),
  );
});

test.each<[string, Record<string, unknown>, number]>([
  ["one of several values", { scope: ["a", "read"] }, 200],
  ["one of several, parted by blanks", { scope: "a read b" }, 200],
  ["the claim scp", { scp: "read" }, 200],
  ["another scope", { scope: "a" }, 403],
  ["a scope that only begins so", { scope: "reader" }, 403],
  ["one of two values that holds it among others", { scope: ["a read", "b"] }, 403],
  ["no scope", {}, 403],
  ["an inherited name", Object.create({ scope: "read" }) as Record<string, unknown>, 403],
])("AllowedScopes: %s", async (_title, claims, status) => {
  const { port, arrived } = await start({
    route: { AuthenticationOptions: { AuthenticationProviderKey: "own", AllowedScopes: ["write", "read"] } },
    options: { authentication: { own: () => ({ id: "1", claims: claims as never }) } },
  });
  const answer = await request({ port, path: "/locked" });
  expect(answer.status).toBe(status);
  expect(arrived).toHaveLength(status === 200 ? 1 : 0);
  if (status === 403) expect(JSON.parse(answer.body.toString())).toMatchObject({ code: "scope-missing" });
});
