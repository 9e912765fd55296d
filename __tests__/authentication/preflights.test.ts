import { afterEach, describe, expect, test } from "@jest/globals";
import { type Authenticator, createGateway, type DelegatingHandler, type GatewayOptions } from "../../src/index.ts";
import { parseConfig } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { request } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const preflight = { origin: "https://app.example.org", "access-control-request-method": "GET" };

const known = new Set(["ada"]);

/** Knows whoever is among the known ones, by the header `X-Who`. */
const Who: Authenticator = Object.assign(
  ({ headers }: Parameters<Authenticator>[0]) => {
    const name = String(headers["x-who"]);
    return known.has(name) ? { id: name, claims: { sub: name, scope: "read" } } : undefined;
  },
  { challenge: "Who", reads: { headers: ["x-who"] } },
);

const asPost: DelegatingHandler = async (outgoing, next) => {
  outgoing.method = "POST";
  return next();
};

type Middleware = NonNullable<GatewayOptions["middleware"]>[number];

/** As method-override and its like do. */
const overrideMethod: Middleware = (req, _res, next) => {
  req.method = String(req.headers["x-http-method-override"] ?? req.method);
  next();
};

/** Locked routes of an upstream that leads from `/303` and `/307` to what is secret. */
async function start(options: GatewayOptions = {}) {
  const upstream = await startUpstream((req, res) => {
    const status = Number(/\d{3}$/.exec(req.url!)?.[0] ?? 200);
    if (status === 200) res.end(`${req.method} secret`);
    else res.writeHead(status, { location: "/secret" }).end();
  });
  ends.push(upstream.close);
  const route = (Key: string, more: object = {}): object => ({
    Key,
    UpstreamPathTemplate: `/${Key}/{rest}`,
    DownstreamPathTemplate: "/{rest}",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    AuthenticationOptions: { AuthenticationProviderKey: "Who", AllowedScopes: ["read"] },
    ...more,
  });
  const Routes = [
    route("plain"),
    route("following", { HttpHandlerOptions: { AllowAutoRedirect: true } }),
    route("handled", { DelegatingHandlers: ["asPost"] }),
    route("retried", { DelegatingHandlers: ["asPost"], Retry: { Count: 2, Methods: ["POST", "OPTIONS"] } }),
    route("cached", { CacheOptions: { TtlSeconds: 60, Header: "X-Who" } }),
  ];
  const Aggregates = [
    { UpstreamPathTemplate: "/both/{rest}", UpstreamHttpMethod: ["OPTIONS", "GET"], RouteKeys: ["plain", "handled"] },
  ];
  const config = parseConfig({ Routes, Aggregates }, { logger: false });
  const named = { authentication: { Who }, namedHandlers: { asPost } };
  const gateway = createGateway(config, { logger: false, ...named, ...options });
  const running = await serve(gateway, gateway);
  ends.push(running.close);
  const sent = (): string[] => upstream.requests.map(({ method, target }) => `${method} ${target}`);
  const ask = (path: string, headers: Record<string, string>, method = "OPTIONS") =>
    request({ port: running.port, method, path, headers });
  return { ask, sent };
}

describe.each(engines)(
  "What came past a lock as a CORS preflight goes upstream as OPTIONS alone, with $name:",
  ({ create }) => {
    test.each<[reason: string, path: string, status: number, sent: readonly string[]]>([
      ["it passes", "/plain/secret", 200, ["OPTIONS /secret"]],
      ["a redirect that would make a GET of it is the answer", "/following/303", 303, ["OPTIONS /303"]],
      ["one that leaves it OPTIONS is followed", "/following/307", 200, ["OPTIONS /307", "OPTIONS /secret"]],
      ["a delegating handler makes nothing else of it", "/handled/secret", 401, []],
      ["nor does one before what is sent again", "/retried/secret", 401, []],
    ])("%s", async (_reason, path, status, expected) => {
      const { ask, sent } = await start({ engine: create() });
      const answer = await ask(path, preflight);
      expect([answer.status, sent()]).toEqual([status, expected]);
      expect(answer.body.toString()).not.toMatch(/(?:GET|POST) secret/);
      if (status === 401) expect(answer.headers["www-authenticate"]).toBe("Who");
    });

    test("middleware makes nothing else of it", async () => {
      const { ask, sent } = await start({ engine: create(), middleware: [overrideMethod] });
      const answer = await ask("/plain/secret", { ...preflight, "x-http-method-override": "DELETE" });
      expect([answer.status, sent()]).toEqual([401, []]);
      expect(JSON.parse(answer.body.toString())).toMatchObject({ code: "authentication-required" });
    });

    test("nor does a part of an aggregate", async () => {
      const { ask, sent } = await start({ engine: create() });
      const answer = await ask("/both/secret", preflight);
      expect(answer.status).toBe(401);
      expect(sent().filter((one) => !one.startsWith("OPTIONS"))).toEqual([]);
    });

    test("whoever is known may be sent on as anything", async () => {
      const { ask, sent } = await start({ engine: create(), middleware: [overrideMethod] });
      const headers = { "x-who": "ada", "x-http-method-override": "DELETE" };
      expect((await ask("/plain/secret", headers)).status).toBe(200);
      expect((await ask("/handled/secret", { "x-who": "ada" })).status).toBe(200);
      expect((await ask("/following/303", { "x-who": "ada" })).body.toString()).toBe("GET secret");
      expect(sent()).toEqual(["DELETE /secret", "POST /secret", "OPTIONS /303", "GET /secret"]);
    });
  },
);

test("a preflight is given nothing that is kept for somebody who was known", async () => {
  const { ask, sent } = await start({ middleware: [overrideMethod] });
  known.add("eve");
  expect((await ask("/cached/secret", { "x-who": "eve" }, "GET")).status).toBe(200);
  expect((await ask("/cached/secret", { "x-who": "eve" }, "GET")).headers["cache-status"]).toContain("hit");
  known.delete("eve");
  const headers = { ...preflight, "x-who": "eve", "x-http-method-override": "GET" };
  expect((await ask("/cached/secret", headers)).status).toBe(401);
  expect(sent()).toEqual(["GET /secret"]);
});
