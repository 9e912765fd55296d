import { constants, createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createGateway, type Gateway, parseConfig } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

/** A key that is known already checks a signature of RSA at once; nothing else may be told of any token than by jose. */

const folder = mkdtempSync(join(tmpdir(), "waymark-at-once-"));
const [own, other] = [2_048, 2_048].map((modulusLength) => generateKeyPairSync("rsa", { modulusLength }));
const pem = own!.publicKey.export({ format: "pem", type: "spki" }) as string;
const jwk = { ...own!.publicKey.export({ format: "jwk" }), kid: "a" };

const files = {
  "a key": pem,
  "a set of keys": JSON.stringify({ keys: [jwk, { ...other!.publicKey.export({ format: "jwk" }), kid: "b" }] }),
};

const exp = Math.floor(Date.now() / 1_000) + 600;
const claims = { iss: "me", aud: "api", sub: "ada", exp };

const hashes: Readonly<Record<string, string>> = { "256": "sha256", "384": "sha384", "512": "sha512" };

function signWith(key: KeyObject, algorithm: string, text: string): Buffer {
  const padding = algorithm.startsWith("PS") ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
  const saltLength = constants.RSA_PSS_SALTLEN_DIGEST;
  return sign(hashes[algorithm.slice(2)], Buffer.from(text), { key, padding, saltLength });
}

type Written = Readonly<{ header?: object; payload?: object | Buffer; signedAs?: string; key?: KeyObject }>;

function write({ header, payload = claims, signedAs = "RS256", key = own!.privateKey }: Written): string {
  const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload));
  const head = Buffer.from(JSON.stringify({ alg: "RS256", kid: "a", ...header }));
  const text = `${head.toString("base64url")}.${bytes.toString("base64url")}`;
  return `${text}.${signWith(key, signedAs, text).toString("base64url")}`;
}

/** A token of HS256 whose secret is the public key. */
function confuse(): string {
  const text = [{ alg: "HS256", kid: "a" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${text}.${createHmac("sha256", pem).update(text).digest("base64url")}`;
}

const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"];
const good = algorithms.map((alg) => write({ header: { alg }, signedAs: alg, payload: { ...claims, jti: "seen" } }));

const rows: readonly (readonly [what: string, token: string, status: number])[] = [
  ...algorithms.map((alg) => [`signed with ${alg}`, write({ header: { alg }, signedAs: alg }), 200] as const),
  ["with times in fractions", write({ payload: { ...claims, nbf: 1.5, iat: 1.5 } }), 200],
  ["for several audiences", write({ payload: { ...claims, aud: ["web", "api"] } }), 200],
  ["signed with another key", write({ key: other!.privateKey }), 401],
  ["signed otherwise than it says, by the digest", write({ header: { alg: "RS512" } }), 401],
  ["signed otherwise than it says, by the padding", write({ header: { alg: "PS256" } }), 401],
  ["signed with the public key as a secret", confuse(), 401],
  ["without a signature", write({}).replace(/[^.]+$/, ""), 401],
  ["with half a signature", write({}).slice(0, -100), 401],
  ["with more behind the signature", `${write({})}AAAA`, 401],
  ["with other signs in the signature", write({}).replace(/.{4}$/, "!$&"), 401],
  ["with a blank in the signature", write({}).replace(/.{4}$/, "%20$&"), 401],
  ["in four parts", `${write({})}.AAAA`, 401],
  ["that begins later", write({ payload: { ...claims, nbf: exp } }), 401],
  ["that begins at a text", write({ payload: { ...claims, nbf: "1" } }), 401],
  ["that begins at nothing", write({ payload: { ...claims, nbf: null } }), 401],
  ["that was made at a text", write({ payload: { ...claims, iat: "1" } }), 401],
  ["that was made at nothing", write({ payload: { ...claims, iat: null } }), 401],
  ["that has ended", write({ payload: { ...claims, exp: exp - 1_000 } }), 401],
  ["for nobody", write({ payload: { ...claims, aud: undefined } }), 401],
  ["for somebody else", write({ payload: { ...claims, aud: "web" } }), 401],
  ["for a list in a list", write({ payload: { ...claims, aud: [["api"]] } }), 401],
  ["without a required claim", write({ payload: { ...claims, sub: "bob" } }), 401],
  [
    "whose claims are no text",
    write({ payload: Buffer.from(JSON.stringify(claims).replace("ada", "\u00ff"), "latin1") }),
    401,
  ],
  ["whose claims are a list", write({ payload: [claims] }), 401],
];

afterAll(() => rmSync(folder, { recursive: true }));

describe.each(Object.entries(files))("A token whose key comes from %s", (_name, content) => {
  let upstream: Upstream;
  let running: RunningGateway;
  let gateway: Gateway;
  let warm: Gateway;

  beforeAll(async () => {
    upstream = await startUpstream();
    warm = createOne();
    gateway = warm;
    running = await serve((req, res) => gateway(req, res), warm);
    for (const token of good) expect(await ask(token)).toBe(200);
  });
  afterAll(async () => {
    await running.close();
    await upstream.close();
  });

  function createOne(): Gateway {
    const KeyFile = join(folder, "keys");
    writeFileSync(KeyFile, content);
    const scheme = { Type: "Jwt", Issuer: "me", Audience: "api", RequiredClaims: { sub: "ada" }, KeyFile };
    const route = {
      UpstreamPathTemplate: "/",
      DownstreamPathTemplate: "/",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
      AuthenticationOptions: { AuthenticationProviderKey: "Tokens" },
    };
    const GlobalConfiguration = { AuthenticationSchemes: { Tokens: scheme } };
    return createGateway(parseConfig({ Routes: [route], GlobalConfiguration }, { logger: false }), { logger: false });
  }

  async function ask(token: string): Promise<number> {
    return (await request({ port: running.port, path: "/", headers: { authorization: `Bearer ${token}` } })).status;
  }

  test.each(rows)("%s is judged alike whether the key is known or not", async (_what, token, status) => {
    gateway = warm;
    const known = await ask(token);
    gateway = createOne();
    const unknown = await ask(token);
    await gateway.close();
    expect({ known, unknown }).toEqual({ known: status, unknown: status });
  });
});
