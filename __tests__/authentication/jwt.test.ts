import { createHmac } from "node:crypto";
import http from "node:http";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { exportSPKI, SignJWT } from "jose";
import { createGateway, parseConfig } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { closeServer, listen, startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import {
  type Claims,
  createIssuerKey,
  type Issuer,
  type IssuerKey,
  startIssuer,
  startIssuerBehindTls,
} from "./start-issuer.ts";

const ends: (() => unknown)[] = [];
let upstream: Upstream;
let rsa: IssuerKey;
let other: IssuerKey;

beforeAll(async () => {
  upstream = await startUpstream((req, res) => res.end(req.headers.authorization ?? "none"));
  [rsa, other] = [await createIssuerKey("one", "RS256"), await createIssuerKey("two", "RS256")];
});
afterAll(() => upstream.close());
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function issue(...keys: IssuerKey[]): Promise<Issuer> {
  const issuer = await startIssuer(...(keys.length === 0 ? [rsa] : keys));
  ends.push(issuer.close);
  return issuer;
}

/** A gateway with one route behind the schemes; gives the function that asks it with a token. */
async function lock(
  ...schemes: readonly object[]
): Promise<(authorization?: string | string[]) => ReturnType<typeof request>> {
  const names = schemes.map((_, index) => `Scheme${index}`);
  const Routes = [
    {
      UpstreamPathTemplate: "/",
      DownstreamPathTemplate: "/",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
      AuthenticationOptions: { AuthenticationProviderKeys: names },
    },
  ];
  const AuthenticationSchemes = Object.fromEntries(schemes.map((scheme, index) => [names[index], scheme]));
  const config = parseConfig({ Routes, GlobalConfiguration: { AuthenticationSchemes } }, { logger: false });
  const gateway = createGateway(config, { logger: false });
  // Room for tokens that are longer than the usual 16 KiB of all headers.
  const server = http.createServer({ maxHeaderSize: 65_536 }, gateway);
  const port = await listen(server);
  ends.push(async () => {
    await gateway.close({ grace: 0 });
    await closeServer(server);
  });
  return (authorization) =>
    request({
      port,
      path: "/",
      headers: (authorization === undefined ? {} : { authorization }) as Record<string, string>,
    });
}

const schemeOf = ({ url }: Issuer, more: object = {}): object => ({
  Type: "Jwt",
  Issuer: url,
  Audience: "api",
  ...more,
});
const statusOf = async (answer: ReturnType<typeof request>): Promise<number> => (await answer).status;

test.each(["RS256", "PS256", "ES256", "ES384", "EdDSA"])("a token that is signed with %s is taken", async (alg) => {
  const issuer = await issue(await createIssuerKey("key", alg));
  const ask = await lock(schemeOf(issuer));
  expect(await statusOf(ask(`Bearer ${await issuer.sign({})}`))).toBe(200);
});

test("keys are fetched at the first token, once for all who wait, and a token is remembered", async () => {
  const issuer = await issue();
  const ask = await lock(schemeOf(issuer));
  expect(issuer.asked).toEqual([]);
  const tokens = await Promise.all(Array.from({ length: 20 }, (_, index) => issuer.sign({ sub: String(index) })));
  const answers = await Promise.all([...tokens, ...tokens].map((token) => statusOf(ask(`Bearer ${token}`))));
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(issuer.asked).toEqual(["/.well-known/openid-configuration", "/jwks"]);
});

test("the verified token travels on, unless the scheme says otherwise", async () => {
  const issuer = await issue();
  const token = `Bearer ${await issuer.sign({})}`;
  expect((await (await lock(schemeOf(issuer)))(token)).body.toString()).toBe(token);
  expect((await (await lock(schemeOf(issuer, { Forward: false })))(token)).body.toString()).toBe("none");
});

test("a challenge says that a token was wrong only where there was one", async () => {
  const ask = await lock(schemeOf(await issue()));
  expect((await ask()).headers["www-authenticate"]).toBe("Bearer");
  expect((await ask("Basic YTpi")).headers["www-authenticate"]).toBe("Bearer");
  expect((await ask("Bearer a.b.c")).headers["www-authenticate"]).toBe('Bearer error="invalid_token"');
});

describe("A token is refused", () => {
  const now = (): number => Math.floor(Date.now() / 1_000);
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  type Make = (issuer: Issuer) => string | Promise<string>;
  const signed =
    (claims: Claims, header: object = {}): Make =>
    (issuer) =>
      issuer.sign(claims, rsa, header);

  const rows: readonly (readonly [string, Make])[] = [
    [
      "without a signature",
      ({ url }) => `${encode({ alg: "none" })}.${encode({ iss: url, aud: "api", exp: now() + 60 })}.`,
    ],
    [
      "signed with the public key as a secret",
      async ({ url }) => {
        const text = `${encode({ alg: "HS256", kid: "one" })}.${encode({ iss: url, aud: "api", exp: now() + 60 })}`;
        return `${text}.${createHmac("sha256", await exportSPKI(rsa.publicKey))
          .update(text)
          .digest("base64url")}`;
      },
    ],
    ["signed with another key of that id", (issuer) => issuer.sign({}, { ...other, kid: "one" })],
    ["whose key id is a path", signed({}, { kid: "../../etc/passwd" })],
    [
      "that brings its own key",
      async (issuer) => issuer.sign({}, { ...other, kid: "one" }, { jku: "http://127.0.0.1:9/" }),
    ],
    ["with critical extensions", signed({}, { crit: ["b64"], b64: true })],
    ["bound to a key of the client", signed({ cnf: { jkt: "x" } })],
    ["of another type", signed({}, { typ: "logout+jwt" })],
    ["that has expired", signed({ exp: now() - 100 })],
    ["that is not valid yet", signed({ nbf: now() + 100 })],
    ["that never expires", signed({ exp: undefined })],
    ["for somebody else", signed({ aud: "other" })],
    ["for nobody", signed({ aud: undefined })],
    ["of another issuer", signed({ iss: "https://login.example.org" })],
    ["of an issuer with a slash more", ({ url, sign }) => sign({ iss: `${url}/` })],
    ["without a required claim", signed({ tenant: undefined })],
    ["with another value of a required claim", signed({ tenant: "b" })],
    [
      "with a changed claim",
      async (issuer) => {
        const [header, , signature] = (await issuer.sign({})).split(".");
        return `${header}.${encode({ iss: issuer.url, aud: "api", sub: "root", exp: now() + 60 })}.${signature}`;
      },
    ],
  ];

  test.each(rows)("%s", async (_title, make) => {
    const issuer = await issue();
    const ask = await lock(schemeOf(issuer, { RequiredClaims: { tenant: ["a", "c"] } }));
    const good = await issuer.sign({ tenant: "a" });
    expect(await statusOf(ask(`Bearer ${good}`))).toBe(200);
    const token = await make({
      ...issuer,
      sign: (claims, key, header) => issuer.sign({ tenant: "a", ...claims }, key, header),
    });
    expect(await statusOf(ask(`Bearer ${token}`))).toBe(401);
  });

  test("of more than 16 KiB", async () => {
    const issuer = await issue();
    const ask = await lock(schemeOf(issuer, { RequiredClaims: { tenant: "a" } }));
    const tokenOf = async (length: number): Promise<string> => issuer.sign({ tenant: "a", more: "x".repeat(length) });
    expect(await statusOf(ask(`Bearer ${await tokenOf(11_000)}`))).toBe(200);
    expect(await statusOf(ask(`Bearer ${await tokenOf(13_000)}`))).toBe(401);
  });

  test("that is sent twice", async () => {
    const issuer = await issue();
    const token = `Bearer ${await issuer.sign({})}`;
    expect(await statusOf((await lock(schemeOf(issuer)))([token, token]))).toBe(401);
  });
});

describe("An issuer", () => {
  test("that is away before the first token is 503, and is asked again", async () => {
    const issuer = await issue();
    const ask = await lock(schemeOf(issuer));
    issuer.behaviour.answer = (_req, res) => res.writeHead(500).end();
    const token = `Bearer ${await issuer.sign({})}`;
    const { status, headers, body } = await ask(token);
    expect([status, headers["retry-after"]]).toEqual([503, "5"]);
    expect(JSON.parse(body.toString())).toMatchObject({ code: "authentication-unavailable" });
    issuer.behaviour.answer = undefined;
    expect(await statusOf(ask(token))).toBe(200);
  });

  test("that goes away later does not matter while its keys are known", async () => {
    const issuer = await issue();
    const ask = await lock(schemeOf(issuer));
    expect(await statusOf(ask(`Bearer ${await issuer.sign({})}`))).toBe(200);
    issuer.behaviour.answer = (req) => req.destroy();
    expect(await statusOf(ask(`Bearer ${await issuer.sign({ sub: "bob" })}`))).toBe(200);
  });

  test("may change its keys: new ones are fetched, and what the old ones signed is forgotten", async () => {
    const issuer = await issue();
    const ask = await lock(schemeOf(issuer));
    const before = `Bearer ${await issuer.sign({})}`;
    expect(await statusOf(ask(before))).toBe(200);
    issuer.keys.splice(0, 1, other);
    expect(await statusOf(ask(`Bearer ${await issuer.sign({})}`))).toBe(200);
    expect(await statusOf(ask(before))).toBe(401);
  });

  test("is not asked for every token with an unknown key", async () => {
    const issuer = await issue();
    const ask = await lock(schemeOf(issuer));
    const tokens = await Promise.all(
      Array.from({ length: 30 }, (_, index) => issuer.sign({}, { ...other, kid: `unknown-${index}` })),
    );
    for (const token of tokens) expect(await statusOf(ask(`Bearer ${token}`))).toBe(401);
    expect(issuer.asked.filter((path) => path === "/jwks")).toHaveLength(3);
  });

  const lies: readonly (readonly [
    string,
    (url: string) => { status?: number; headers?: Record<string, string>; body: string },
  ])[] = [
    [
      "whose document is another one's",
      (url) => ({ body: JSON.stringify({ issuer: "https://else.example.org", jwks_uri: `${url}/jwks` }) }),
    ],
    ["that sends elsewhere", (url) => ({ status: 302, headers: { location: `${url}/elsewhere` }, body: "" })],
    [
      "whose keys are elsewhere without TLS",
      (url) => ({ body: JSON.stringify({ issuer: url, jwks_uri: "http://10.0.0.1/jwks" }) }),
    ],
    ["that gives no JSON", () => ({ body: "<html>" })],
    ["that gives ten megabytes", () => ({ body: JSON.stringify("x".repeat(10_000_000)) })],
  ];

  test.each(lies)("%s is not believed", async (_title, lie) => {
    const issuer = await issue();
    const ask = await lock(schemeOf(issuer));
    issuer.behaviour.answer = (_req, res) => {
      const { status = 200, headers = {}, body } = lie(issuer.url);
      res.writeHead(status, headers).end(body);
    };
    expect(await statusOf(ask(`Bearer ${await issuer.sign({})}`))).toBe(503);
    expect(issuer.asked).not.toContain("/elsewhere");
  });

  test("behind TLS sends nobody to keys without TLS, not even on this machine", async () => {
    const folder = new URL("../fixtures/tls/", import.meta.url).pathname;
    const [key, cert] = ["loopback-key.pem", "loopback-cert.pem"].map((name) =>
      readFileSync(join(folder, name), "utf8"),
    );
    const authorities = tls.getCACertificates();
    tls.setDefaultCACertificates([...authorities, cert!]);
    ends.push(() => tls.setDefaultCACertificates(authorities));
    const [issuer, inside] = [await startIssuerBehindTls({ key, cert }, rsa), await issue()];
    ends.push(issuer.close);
    const ask = await lock(schemeOf(issuer));
    const token = `Bearer ${await issuer.sign({})}`;
    issuer.behaviour.answer = (_req, res) =>
      res.end(JSON.stringify({ issuer: issuer.url, jwks_uri: `${inside.url}/jwks` }));
    expect([await statusOf(ask(token)), inside.asked]).toEqual([503, []]);
    issuer.behaviour.answer = undefined;
    expect(await statusOf(ask(token))).toBe(200);
  });

  test("is chosen by its name before anything is fetched", async () => {
    const [first, second] = [await issue(), await issue(other)];
    const ask = await lock(schemeOf(first), schemeOf(second));
    expect(await statusOf(ask(`Bearer ${await second.sign({})}`))).toBe(200);
    expect(first.asked).toEqual([]);
  });
});

describe("Keys", () => {
  const folder = mkdtempSync(join(tmpdir(), "waymark-keys-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  async function token(alg: string, key: Parameters<SignJWT["sign"]>[0]): Promise<string> {
    const expires = Math.floor(Date.now() / 1_000) + 60;
    return new SignJWT({ iss: "me", aud: "api", exp: expires }).setProtectedHeader({ alg }).sign(key);
  }

  test("may stand in a file", async () => {
    const KeyFile = join(folder, "public.pem");
    writeFileSync(KeyFile, await exportSPKI(rsa.publicKey));
    const ask = await lock({ Type: "Jwt", Issuer: "me", Audience: "api", KeyFile });
    expect(await statusOf(ask(`Bearer ${await token("RS256", rsa.privateKey)}`))).toBe(200);
    expect(await statusOf(ask(`Bearer ${await token("RS256", other.privateKey)}`))).toBe(401);
    const asSecret = Buffer.from(await exportSPKI(rsa.publicKey));
    expect(await statusOf(ask(`Bearer ${await token("HS256", asSecret)}`))).toBe(401);
  });

  test("may be a secret", async () => {
    const Secret = "a-secret-of-at-least-32-bytes-for-hs256";
    const ask = await lock({ Type: "Jwt", Issuer: "me", Audience: false, Secret });
    expect(await statusOf(ask(`Bearer ${await token("HS256", Buffer.from(Secret))}`))).toBe(200);
    expect(await statusOf(ask(`Bearer ${await token("HS256", Buffer.from(`${Secret}!`))}`))).toBe(401);
    expect(await statusOf(ask(`Bearer ${await token("RS256", rsa.privateKey)}`))).toBe(401);
  });

  test("that are no file, or a private one, stop the start", async () => {
    const start = (KeyFile: string): Promise<unknown> => lock({ Type: "Jwt", Issuer: "me", Audience: "api", KeyFile });
    await expect(start(folder)).rejects.toMatchObject({ code: "option-invalid" });
    await expect(start(join(folder, "missing.pem"))).rejects.toMatchObject({ code: "option-invalid" });
  });
});

test.each<[string, object, string]>([
  ["nobody signs", { Audience: "api" }, "scheme-incomplete"],
  ["it is meant for nobody", { Issuer: "https://login.example.org" }, "scheme-incomplete"],
  ["no issuer and no keys are named", { Issuer: false, Audience: "api" }, "scheme-incomplete"],
  ["the issuer has no TLS", { Issuer: "http://login.example.org", Audience: "api" }, "scheme-url-invalid"],
  [
    "keys come from two places",
    { Issuer: "me", Audience: "api", KeyFile: "a", Secret: "x".repeat(32) },
    "scheme-contradictory",
  ],
  ["the secret is short", { Issuer: "me", Audience: "api", Secret: "short" }, "scheme-secret-weak"],
  [
    "the secret is a public key",
    { Issuer: "me", Audience: "api", Secret: "-----BEGIN PUBLIC KEY-----\nMIIBIjANBg" },
    "scheme-secret-weak",
  ],
  [
    "a public key would check a secret's algorithm",
    { Issuer: "https://a.example", Audience: "api", Algorithms: ["HS256"] },
    "scheme-contradictory",
  ],
  [
    "nothing is checked at all",
    { Issuer: "https://a.example", Audience: "api", Algorithms: ["none"] },
    "scheme-contradictory",
  ],
  [
    "a key of another type stands there",
    { Issuer: "https://a.example", Audience: "api", Header: "X-Key" },
    "scheme-contradictory",
  ],
  ["a key is mistyped", { Issuer: "https://a.example", Audiense: "api" }, "lock-key-unknown"],
])("a scheme is refused where %s", (_title, scheme, code) => {
  const AuthenticationSchemes = { Bearer: { Type: "Jwt", ...scheme } };
  const Routes = [
    { UpstreamPathTemplate: "/", DownstreamPathTemplate: "/", DownstreamHostAndPorts: [{ Host: "a", Port: 80 }] },
  ];
  const codes: string[] = [];
  try {
    parseConfig({ Routes, GlobalConfiguration: { AuthenticationSchemes } }, { logger: false });
  } catch (error) {
    codes.push(...(error as { problems: { code: string }[] }).problems.map((problem) => problem.code));
  }
  expect(codes).toContain(code);
});
