import { createHash, createHmac } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { CompactSign, exportJWK, exportSPKI } from "jose";
import type { IncomingMessage } from "node:http";
import { fromMiddleware, type GatewayOptions, parseConfig, createGateway } from "../../src/index.ts";
import { request, sendBytes } from "../helpers/send-raw.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { closeAll, refusal, startEcho, startLive } from "../websockets/live.ts";
import { type Claims, createIssuerKey, type Issuer, type IssuerKey, startIssuer } from "./start-issuer.ts";

const key = "acme-key-of-some-length";
const digest = createHash("sha256").update(key).digest("hex");
const audience = "api";
let upstream: Upstream;
let gateway: RunningGateway;
let issuer: Issuer;
let other: Issuer;
let rsa: IssuerKey;
let foreign: IssuerKey;
/** Where tokens would send a gateway that believed them. */
let trap: Upstream;
const seen: unknown[] = [];

/** `/a` and `/b` take tokens of one issuer each, `/keys` API keys; none of the three takes what the others do. */
beforeAll(async () => {
  [rsa, foreign, upstream, trap] = await Promise.all([
    createIssuerKey("one", "RS256"),
    createIssuerKey("one", "RS256"),
    startUpstream(),
    startUpstream(),
  ]);
  [issuer, other] = [await startIssuer(rsa), await startIssuer(foreign)];
  const route = (name: string, scheme: string): object => ({
    UpstreamPathTemplate: `/${name}`,
    DownstreamPathTemplate: "/",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    AuthenticationOptions: { AuthenticationProviderKey: scheme },
  });
  const GlobalConfiguration = {
    AuthenticationSchemes: {
      A: { Type: "Jwt", Issuer: issuer.url, Audience: audience },
      B: { Type: "Jwt", Issuer: other.url, Audience: audience },
      Keys: { Type: "ApiKey", Keys: [{ Name: "acme", Sha256: digest }] },
    },
  };
  const Routes = [route("a", "A"), route("b", "B"), route("keys", "Keys"), route("own", "Own")];
  const options: GatewayOptions = {
    logger: false,
    authentication: {
      Own: fromMiddleware(
        (_req, _res, next) => next(),
        (req) => (req as { user?: object }).user,
      ),
    },
    middleware: [(_req, res, next) => (seen.push(res.locals.identity), next())],
  };
  const made = createGateway(parseConfig({ Routes, GlobalConfiguration }, { logger: false }), options);
  gateway = await serve(made, made);
});
afterEach(closeAll);
afterAll(() => Promise.all([gateway.close(), upstream.close(), trap.close(), issuer.close(), other.close()]));

type Headers = Record<string, string | string[]>;
type Attack = Readonly<{ path?: string; method?: string; headers?: Headers }>;

async function ask({ path = "/a", method = "GET", headers = {} }: Attack): Promise<number> {
  return (await request({ port: gateway.port, path, method, headers: headers })).status;
}

const now = (): number => Math.floor(Date.now() / 1_000);
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const claims = (): object => ({ iss: issuer.url, aud: audience, sub: "ada", exp: now() + 60 });
const bearer = (token: string): Attack => ({ headers: { authorization: `Bearer ${token}` } });
const signed = async (changed: Claims, header: object = {}, by = rsa): Promise<Attack> =>
  bearer(await issuer.sign(changed, by, header));

function hmac(header: object, secret: string | Buffer): string {
  const text = `${encode({ alg: "HS256", kid: "one", ...header })}.${encode(claims())}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}

const refused: readonly (readonly [string, () => Attack | Promise<Attack>])[] = [
  ["says that it needs no signature", () => bearer(`${encode({ alg: "none" })}.${encode(claims())}.`)],
  ["says so in other letters", () => bearer(`${encode({ alg: "NoNe" })}.${encode(claims())}.`)],
  ["leaves the signature away", async () => bearer((await issuer.sign({})).replace(/\.[^.]*$/, "."))],
  ["is signed with the public key as a secret, in PEM", async () => bearer(hmac({}, await exportSPKI(rsa.publicKey)))],
  [
    "is signed with the public key as a secret, in JSON",
    async () => bearer(hmac({}, JSON.stringify(await exportJWK(rsa.publicKey)))),
  ],
  ["is signed with nothing as a secret", () => bearer(hmac({}, ""))],
  ["names a file as its key", () => signed({}, { kid: "../../../../dev/null" }, foreign)],
  ["names an address as its key", () => signed({}, { kid: `${trap.origin}/jwks` }, foreign)],
  ["names a question to a database as its key", () => signed({}, { kid: "x' UNION SELECT 'secret" }, foreign)],
  ["names a member of all objects as its key", () => signed({}, { kid: "__proto__" }, foreign)],
  ["has a key name that is no text", () => signed({}, { kid: 1 }, foreign)],
  ["says where its keys are (jku)", () => signed({}, { jku: `${trap.origin}/jwks` }, foreign)],
  ["says where its certificate is (x5u)", () => signed({}, { x5u: `${trap.origin}/cert` }, foreign)],
  ["brings its key (jwk)", async () => signed({}, { jwk: await exportJWK(foreign.publicKey) }, foreign)],
  ["brings its certificate (x5c)", () => signed({}, { x5c: ["MIIB"] }, foreign)],
  ["has expired", () => signed({ exp: now() - 61 })],
  ["is not valid yet", () => signed({ nbf: now() + 120 })],
  ["never expires", () => signed({ exp: undefined })],
  ["expires in a text", () => signed({ exp: "4102444800" as never })],
  ["is meant for somebody else", () => signed({ aud: "other" })],
  ["is meant for nobody", () => signed({ aud: undefined })],
  ["is meant for several others", () => signed({ aud: ["other", "third"] })],
  ["is meant for somebody whose name begins so", () => signed({ aud: "api-admin" })],
  ["is of another issuer", async () => bearer(await other.sign({}))],
  [
    "says that it is of this issuer, which another one has signed",
    async () => bearer(await other.sign({ iss: issuer.url })),
  ],
  ["is long", () => bearer(`${encode({ alg: "RS256" })}.${encode({ ...claims(), more: "x".repeat(12_000) })}.AAAA`)],
  [
    "has many claims",
    () =>
      bearer(`${encode({ alg: "RS256" })}.${Buffer.from(`{${'"a":1,'.repeat(1_700)}"b":1}`).toString("base64url")}.A`),
  ],
  [
    "is nested deeply",
    () => bearer(`${encode({ alg: "RS256" })}.${Buffer.from("[".repeat(9_000)).toString("base64url")}.A`),
  ],
  ["is no token", () => bearer("....")],
  ["stands in the query", async () => ({ path: `/a?access_token=${await issuer.sign({})}` })],
  ["stands in a cookie", async () => ({ headers: { cookie: `token=${await issuer.sign({})}` } })],
  ["stands in another header", async () => ({ headers: { "x-authorization": `Bearer ${await issuer.sign({})}` } })],
  [
    "stands in Proxy-Authorization",
    async () => ({ headers: { "proxy-authorization": `Bearer ${await issuer.sign({})}` } }),
  ],
  ["stands behind another scheme", async () => ({ headers: { authorization: `Basic ${await issuer.sign({})}` } })],
  ["stands behind no scheme", async () => ({ headers: { authorization: await issuer.sign({}) } })],
  [
    "is followed by another one",
    async () => ({ headers: { authorization: `Bearer ${await issuer.sign({})}, Bearer ${await issuer.sign({})}` } }),
  ],
  [
    "is sent twice",
    async () => {
      const token = `Bearer ${await issuer.sign({})}`;
      return { headers: { authorization: [token, token] } };
    },
  ],
  [
    "is sent beside a bad one",
    async () => ({ headers: { authorization: ["Bearer a.b.c", `Bearer ${await issuer.sign({})}`] } }),
  ],
  ["belongs to another route", async () => ({ path: "/b", ...bearer(await issuer.sign({})) })],
  ["is shown where a key is asked for", async () => ({ path: "/keys", ...bearer(await issuer.sign({})) })],
];

describe("A request is refused whose token", () => {
  test.each(refused)("%s", async (_title, make) => {
    const arrived = upstream.requests.length;
    expect(await ask(await make())).toBe(401);
    expect(upstream.requests).toHaveLength(arrived);
    expect(trap.requests).toHaveLength(0);
  });
});

test("a token for several is taken where one of them is meant, as RFC 7519 says", async () => {
  expect(await ask(await signed({ aud: ["other", audience] }))).toBe(200);
});

test("a megabyte of token never comes to a scheme, where the server does not take it", async () => {
  const text = await sendBytes(
    gateway.port,
    `GET /a HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${"x".repeat(1_000_000)}\r\n\r\n`,
  ).catch(() => "cut off");
  expect(text).toMatch(/^(HTTP\/1\.1 431 |cut off)/);
});

const others: readonly (readonly [string, Attack])[] = [
  ["shows a key where a token is asked for", { headers: { "x-api-key": key } }],
  ["shows the digest of a key", { path: "/keys", headers: { "x-api-key": digest } }],
  [
    "shows the digest's bytes",
    {
      path: "/keys",
      headers: {
        "x-api-key": Buffer.from(digest, "hex")
          .toString("latin1")
          .replaceAll(/[^\t -~\x80-\xff]/g, "?"),
      },
    },
  ],
  ["shows the beginning of a key", { path: "/keys", headers: { "x-api-key": key.slice(0, -1) } }],
  ["shows the name of a key", { path: "/keys", headers: { "x-api-key": "acme" } }],
  ["shows a key twice", { path: "/keys", headers: { "x-api-key": [key, key] } }],
  ["shows a key in the query", { path: `/keys?x-api-key=${key}` }],
  [
    "says who it is",
    { headers: { identity: "ada", "x-user": "ada", "x-forwarded-user": "ada", "remote-user": "ada", from: "ada" } },
  ],
  ["says so to middleware", { path: "/own", headers: { user: '{"sub":"ada"}' } }],
  ["says OPTIONS", { method: "OPTIONS" }],
  ["says OPTIONS without the method", { method: "OPTIONS", headers: { origin: "https://app.example.org" } }],
  ["says OPTIONS without an origin", { method: "OPTIONS", headers: { "access-control-request-method": "GET" } }],
  [
    "says OPTIONS with a body",
    {
      method: "OPTIONS",
      headers: {
        origin: "https://a.example",
        "access-control-request-method": "GET",
        "transfer-encoding": "chunked",
      },
    },
  ],
  [
    "says another method than a preflight",
    { method: "POST", headers: { origin: "https://a.example", "access-control-request-method": "GET" } },
  ],
  [
    "says that its method is another one",
    {
      method: "POST",
      headers: {
        "x-http-method-override": "OPTIONS",
        origin: "https://a.example",
        "access-control-request-method": "GET",
      },
    },
  ],
  ["says HEAD", { method: "HEAD" }],
  ["asks for another protocol", { headers: { connection: "upgrade", upgrade: "h2c" } }],
  ["hides its token from the gateway", { headers: { connection: "authorization" } }],
];

describe("A request is refused that", () => {
  test.each(others)("%s", async (_title, attack) => {
    const arrived = upstream.requests.length;
    seen.length = 0;
    expect(await ask(attack)).toBe(401);
    expect([upstream.requests.length, seen]).toEqual([arrived, []]);
  });
});

test("a WebSocket is refused whose token is missing, wrong, or another route's", async () => {
  const echo = await startEcho();
  const AuthenticationSchemes = { A: { Type: "Jwt", Issuer: issuer.url, Audience: audience } };
  const route = { AuthenticationOptions: { AuthenticationProviderKey: "A" } };
  const { url } = await startLive(echo.port, { route, global: { AuthenticationSchemes } });
  const headersOf = (token: string): object => ({ headers: { authorization: `Bearer ${token}` } });
  for (const options of [
    {},
    headersOf("a.b.c"),
    headersOf(await other.sign({})),
    headersOf(await issuer.sign({ aud: "x" })),
  ]) {
    expect((await refusal(url, options)).status).toBe(401);
  }
  expect((await refusal(`${url}?access_token=${await issuer.sign({})}`)).status).toBe(401);
  const preflight = { origin: "https://a.example", "access-control-request-method": "GET" };
  expect((await refusal(url, { headers: preflight })).status).toBe(401);
  expect(echo.arrivals).toHaveLength(0);
});

test("keys of clients are looked up by their digests alone", async () => {
  expect(await ask({ path: "/keys", headers: { "x-api-key": key } })).toBe(200);
  const { headers } = upstream.requests.at(-1) as { headers: IncomingMessage["headers"] };
  expect(JSON.stringify(headers)).not.toContain(key);
  expect(seen.at(-1)).toEqual({ id: "acme", claims: { sub: "acme" }, scheme: "Keys" });
});

test("a token whose claims are nested by the thousand is refused, though it is signed", async () => {
  const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  const statusAt = async (depth: number): Promise<number> => {
    const text = JSON.stringify(claims()).replace("}", `,"deep":${nested(depth)}}`);
    const signing = new CompactSign(Buffer.from(text)).setProtectedHeader({ alg: rsa.alg, kid: rsa.kid });
    return ask(bearer(await signing.sign(rsa.privateKey)));
  };
  expect([await statusAt(60), await statusAt(4_000)]).toEqual([200, 401]);
});
