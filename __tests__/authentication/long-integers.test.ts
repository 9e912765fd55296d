import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { CompactSign } from "jose";
import { createGateway, parseConfig } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

// The first integer that a number rounds, and what it is rounded to.
const long = "9007199254740993";
const rounded = "9007199254740992";
const end = Math.floor(Date.now() / 1_000) + 600;
// What some servers write for a token that never ends.
const never = "9223372036854775807";
const secret = "a-secret-of-at-least-32-bytes-for-hs256";
const apiKey = "key-of-some-length";

const claims = `"iss":"me","aud":"api","sub":"ada","tid":${long}`;
let token: string;
let upstream: Upstream;
let server: Upstream;
let running: RunningGateway;

beforeAll(async () => {
  upstream = await startUpstream();
  server = await startUpstream((_req, res) => res.end(`{"active":true,"exp":${never},"nbf":0,${claims}}`));
  token = await new CompactSign(Buffer.from(`{"exp":${end},${claims}}`))
    .setProtectedHeader({ alg: "HS256" })
    .sign(Buffer.from(secret));
  const config = parseConfig(describeConfig(), { logger: false });
  const gateway = createGateway(config, { logger: false });
  running = await serve(gateway, gateway);
});
afterAll(async () => {
  await running.close();
  await Promise.all([upstream.close(), server.close()]);
});

/** As text: in an object of JavaScript the digits would be gone before anybody reads it. */
function describeConfig(): string {
  const of = (type: string, more: string): string =>
    `{ "Type": "${type}", "Issuer": "me", "Audience": "api", ${more} }`;
  const jwt = `"Secret": "${secret}"`;
  const introspection = `"Url": "${server.origin}", "ClientId": "a", "ClientSecret": "b"`;
  const Sha256 = createHash("sha256").update(apiKey).digest("hex");
  const schemes: Readonly<Record<string, string>> = {
    token: of("Jwt", jwt),
    "token-exact": of("Jwt", `${jwt}, "RequiredClaims": { "tid": ${long} }`),
    "token-rounded": of("Jwt", `${jwt}, "RequiredClaims": { "tid": [1, ${rounded}] }`),
    answer: of("Introspection", introspection),
    "answer-exact": of("Introspection", `${introspection}, "RequiredClaims": { "tid": [1, ${long}] }`),
    "answer-rounded": of("Introspection", `${introspection}, "RequiredClaims": { "tid": ${rounded} }`),
    key: `{ "Type": "ApiKey", "Keys": [{ "Name": "a", "Sha256": "${Sha256}", "Claims": { "tid": ${long}, "all": [{ "of": ${long} }] } }] }`,
  };
  const routes = Object.keys(schemes).map((name) => ({
    UpstreamPathTemplate: `/${name}`,
    DownstreamPathTemplate: "/",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    AuthenticationOptions: { AuthenticationProviderKey: name },
    AddHeadersToRequest: {
      "X-Tenant": "Claims[tid] > value",
      ...(name === "key" ? { "X-All": "Claims[all] > value" } : {}),
    },
  }));
  const written = Object.entries(schemes).map(([name, text]) => `"${name}": ${text}`);
  return `{ "Routes": ${JSON.stringify(routes)}, "GlobalConfiguration": { "AuthenticationSchemes": { ${written.join()} } } }`;
}

test.each<[what: string, path: string, status: number]>([
  ["a claim of a signed token", "/token", 200],
  ["a claim that a signed token must have", "/token-exact", 200],
  ["a claim of a signed token is not taken for one that it only rounds to", "/token-rounded", 401],
  ["a claim in the answer of an authorisation server", "/answer", 200],
  ["a claim that the answer must have", "/answer-exact", 200],
  ["a claim of the answer is not taken for one that it only rounds to", "/answer-rounded", 401],
  ["a claim of an API key in the file", "/key", 200],
])("an integer beyond 2^53 keeps its digits: %s", async (_what, path, status) => {
  const before = upstream.requests.length;
  const headers = { authorization: `Bearer ${token}`, "x-api-key": apiKey };
  expect((await request({ port: running.port, path, headers })).status).toBe(status);
  const arrived = upstream.requests.slice(before);
  expect(arrived.map((one) => one.headers["x-tenant"])).toEqual(status === 200 ? [long] : []);
  if (path === "/key") expect(arrived[0]?.headers["x-all"]).toBe(`{"of":${long}}`);
});
