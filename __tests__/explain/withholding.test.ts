import { createHash, createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createExplain } from "../../src/explain/explain-request.ts";
import { createGateway, type GatewayOptions, parseConfig } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const Secret = "a-secret-of-at-least-32-bytes-for-hs256";
const key = "acme-key-of-some-length";
const parts = [{ alg: "HS256" }, { iss: "me", sub: "eve", exp: 4_102_444_800 }];
const unsigned = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
const token = `${unsigned}.${createHmac("sha256", Secret).update(unsigned).digest("base64url")}`;
const bearer = `Bearer ${token}`;

const jwt = { Type: "Jwt", Issuer: "me", Audience: false, Secret };
const From = ["Header", "Cookie:sess", "Query:access_token", "Subprotocol"];
const Keys = {
  Type: "ApiKey",
  Keys: [{ Name: "acme", Sha256: createHash("sha256").update(key).digest("hex") }],
};
const ofCode: GatewayOptions["authentication"] = {
  Code: Object.assign(() => ({ id: "eve", claims: {}, token: "abc" }), {
    reads: { headers: ["X-Own"] },
    forwards: true,
  }),
};

type Headers = Readonly<Record<string, string>>;
type Row = readonly [what: string, path: string, headers: Headers, method?: string];

const rows: readonly Row[] = [
  ["a key on a route with a lock", "/keyed", { "X-Api-Key": key, "X-Other": "1" }],
  ["a key on a route without one", "/open", { "X-Api-Key": key }],
  ["a key in another spelling of its header", "/open", { x_api_key: key }],
  ["a key beside the token of a locked route", "/locked", { Authorization: bearer, "X-Api-Key": key }],
  ["a token that is forwarded", "/locked", { Authorization: bearer }],
  ["a token that is not forwarded", "/kept", { Authorization: bearer, "X-Token": "1" }],
  [
    "an Authorization beside the cookie that was verified",
    "/locked",
    { Authorization: "Basic x", Cookie: `sess=${token}` },
  ],
  ["an Authorization on a route without a lock", "/open", { Authorization: bearer }],
  ["cookies", "/open", { Cookie: `a=1; sess=${token}` }],
  ["a parameter", `/locked?access_token=${token}&a=1`, {}],
  ["a parameter in a placeholder for the whole query", `/captured?x=1&access_token=${token}`, {}],
  ["a parameter of the page", "/open", { Referer: `https://app.test/?access_token=${token}&b=1` }],
  ["a token among protocols", "/open", { "Sec-WebSocket-Protocol": `bearer, ${token}, chat` }],
  ["a header of a scheme in code", "/code", { "X-Own": "abc", Authorization: bearer }],
  [
    "a preflight",
    "/locked?_method=PUT",
    { Origin: "https://app.test", "Access-Control-Request-Method": "PUT", Authorization: bearer, "X-User": "eve" },
    "OPTIONS",
  ],
];

describe("An explanation leaves out what the gateway keeps from a service:", () => {
  let upstream: Upstream;
  beforeAll(async () => void (upstream = await startUpstream()));
  afterAll(() => upstream.close());

  test.each(rows)("%s", async (_what, path, given, method = "GET") => {
    const target = {
      DownstreamPathTemplate: "/",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    };
    const lockedBy = (name: string) => ({ ...target, AuthenticationOptions: { AuthenticationProviderKey: name } });
    const parsed = parseConfig(
      {
        Routes: [
          { UpstreamPathTemplate: "/open", ...target },
          { UpstreamPathTemplate: "/captured?{all}", ...target, DownstreamPathTemplate: "/?{all}" },
          { UpstreamPathTemplate: "/locked", ...lockedBy("Bearer") },
          { UpstreamPathTemplate: "/kept", ...lockedBy("Kept") },
          { UpstreamPathTemplate: "/keyed", ...lockedBy("Keys") },
          { UpstreamPathTemplate: "/code", ...lockedBy("Code") },
        ],
        GlobalConfiguration: {
          AuthenticationSchemes: { Bearer: { ...jwt, From }, Kept: { ...jwt, Forward: false }, Keys },
        },
      },
      { logger: false },
    );
    const options = { logger: false, authentication: ofCode } as const;
    const gateway = createGateway(parsed, options);
    const running = await serve(gateway, gateway);
    const headers = { Host: "gateway.test", Connection: "close", ...given };
    const before = upstream.requests.length;
    const { status } = await request({ port: running.port, method, path, headers });
    await running.close();
    const { forwarded } = createExplain(parsed, options)({ method, path, host: headers.Host, headers });
    const [{ target: url, headers: sent }] = upstream.requests.slice(before) as [(typeof upstream.requests)[0]];
    delete sent.connection;

    expect({ status, url: forwarded!.url, headers: forwarded!.headers }).toEqual({
      status: 200,
      url: upstream.origin + url,
      headers: { ...sent, "x-forwarded-for": "<address of the client>" },
    });
  });
});
