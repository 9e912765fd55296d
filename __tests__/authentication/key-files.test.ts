import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { jwtBearer } from "../../src/jwt.ts";
import { createGateway, parseConfig } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";

const folder = mkdtempSync(join(tmpdir(), "waymark-key-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

function schemeOf(content: string, more: object = {}): ReturnType<typeof jwtBearer> {
  const keyFile = join(folder, "keys");
  writeFileSync(keyFile, content);
  return jwtBearer({ issuer: "me", audience: "api", keyFile, ...more });
}

const pem = (key: KeyObject): string => key.export({ format: "pem", type: "spki" }) as string;
const set = (...keys: (object | null)[]): string => JSON.stringify({ keys });
const jwk = (key: KeyObject, more: object = {}): object => ({ ...key.export({ format: "jwk" }), kid: "a", ...more });

const short = generateKeyPairSync("rsa", { modulusLength: 1_024 });
const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" });
const koblitz = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
const x25519 = generateKeyPairSync("x25519");

test.each<[string, string, RegExp]>([
  ["RSA that is short", pem(short.publicKey), /1024 bits is too short/],
  ["rsa-pss", pem(generateKeyPairSync("rsa-pss", { modulusLength: 2_048 }).publicKey), /No token.*rsa-pss/],
  ["the curve of coins", pem(koblitz.publicKey), /No token.*secp256k1/],
  ["a key that signs nothing", pem(x25519.publicKey), /No token.*x25519/],
  ["a private key", p256.privateKey.export({ format: "pem", type: "pkcs8" }) as string, /private key/],
  ["a set with a private key", set(jwk(p256.publicKey), jwk(rsa.privateKey)), /private key/],
  ["a set with a secret", set(jwk(p256.publicKey), { kty: "oct", k: "c2VjcmV0" }), /private key/],
  ["a set without keys", set(), /no key that signs tokens/],
  ["a set of RSA that is short", set(jwk(short.publicKey)), /no key that signs tokens/],
  ["a set of the curve of coins", set(jwk(koblitz.publicKey)), /no key that signs tokens/],
  ["a set of keys for encryption", set(jwk(rsa.publicKey, { use: "enc" })), /no key that signs tokens/],
  ["a set of half a key", set({ kty: "EC", crv: "P-256", x: "AA" }), /no key that signs tokens/],
  ["a set with a private key behind null", set(null, jwk(rsa.privateKey)), /private key/],
  ["a set of null", set(null), /no set of keys/],
  ["a text", "hunter2-hmac", /not valid JSON/],
])("a file of %s stops the start, and nothing of it is told", (_what, content, message) => {
  const start = (): unknown => schemeOf(content);
  expect(start).toThrow(expect.objectContaining({ code: "option-invalid", message: expect.stringMatching(message) }));
  expect(start).not.toThrow(/hunter/);
});

test.each<[string, string, readonly string[]]>([
  ["a key", pem(p256.publicKey), ["RS256", "ES384"]],
  ["a set", set(jwk(rsa.publicKey), jwk(p256.publicKey)), ["ES384", "EdDSA"]],
])("algorithms that do not suit %s stop the start with the reason", (_what, content, algorithms) => {
  const start = (): unknown => schemeOf(content, { algorithms });
  expect(start).toThrow(/No token could be good: the "Algorithms" are .*"ES384".* are for .*"ES256"/);
  expect(() => schemeOf(content, { algorithms: [...algorithms, "ES256"] })).not.toThrow();
});

const head = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A token that says it was signed with an algorithm. */
function tokenOf(alg: string, { privateKey: key }: { privateKey: KeyObject }): string {
  const exp = Math.floor(Date.now() / 1_000) + 60;
  const text = `${head({ alg })}.${head({ iss: "me", aud: "api", exp })}`;
  return `${text}.${sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}

test.each([
  ["a key", pem(p256.publicKey)],
  ["a set", set(jwk(p256.publicKey), jwk(x25519.publicKey, { kid: "b", use: "enc" }))],
  ["a set with null in it", set(null, jwk(p256.publicKey))],
])("a token whose algorithm does not suit %s is 401", async (_what, content) => {
  const Routes = [
    {
      UpstreamPathTemplate: "/",
      DownstreamPathTemplate: "/",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: 9 }],
      AuthenticationOptions: { AuthenticationProviderKey: "Bearer" },
      RouteClaimsRequirement: { role: "nobody" },
    },
  ];
  const authentication = { Bearer: schemeOf(content) };
  const gateway = createGateway(parseConfig({ Routes }, { logger: false }), { authentication, logger: false });
  const { port, close } = await serve(gateway, gateway);
  const statuses = [];
  for (const token of [tokenOf("ES256", p256), tokenOf("ES384", p256), tokenOf("RS256", rsa)]) {
    statuses.push((await request({ port, path: "/", headers: { authorization: `Bearer ${token}` } })).status);
  }
  await close();
  expect(statuses).toEqual([403, 401, 401]);
});
