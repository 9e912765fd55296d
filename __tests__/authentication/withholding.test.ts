import { createHash, createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { explainRequest } from "../../src/explain/explain-request.ts";
import { maskByConfig } from "../../src/explain/mask-by-config.ts";
import { accessLog, createGateway, type GatewayConfig, parseConfig } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const Secret = "a-secret-of-at-least-32-bytes-for-hs256";
const key = "acme-key-of-some-length";

function tokenOf(sub: string, secret = Secret): string {
  const parts = [{ alg: "HS256" }, { iss: "me", sub, exp: 4_102_444_800 }];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}

const token = tokenOf("eve");
const forged = tokenOf("admin", "another-secret-of-at-least-32-bytes");

type Headers = Readonly<Record<string, string>>;
let upstream: Upstream;
let gateway: RunningGateway;
let config: GatewayConfig;
const lines: string[] = [];

/** `/locked` and `/open`; the middleware sets what a request asks for in `x-set`. */
beforeAll(async () => {
  upstream = await startUpstream((req, res) => res.end(JSON.stringify({ url: req.url, headers: req.headers })));
  const target = { DownstreamPathTemplate: "/", DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }] };
  const Sha256 = createHash("sha256").update(key).digest("hex");
  const From = ["Header", "Cookie:sess", "Query:access_token", "Subprotocol"];
  config = parseConfig(
    {
      Routes: [
        { UpstreamPathTemplate: "/locked", ...target, AuthenticationOptions: { AuthenticationProviderKey: "Bearer" } },
        { UpstreamPathTemplate: "/open", ...target },
        { UpstreamPathTemplate: "/captured?a={a}", ...target, DownstreamPathTemplate: "/?b={a}" },
        {
          UpstreamPathTemplate: "/protocol",
          UpstreamHeaderTemplates: { "Sec-WebSocket-Protocol": "{p}" },
          ...target,
          DownstreamPathTemplate: "/?v={p}",
        },
        {
          UpstreamPathTemplate: "/from",
          UpstreamHeaderTemplates: { Referer: "{p}" },
          ...target,
          DownstreamPathTemplate: "/?v={p}",
        },
      ],
      GlobalConfiguration: {
        AuthenticationSchemes: {
          Bearer: { Type: "Jwt", Issuer: "me", Audience: false, Secret, From },
          Keys: { Type: "ApiKey", Keys: [{ Name: "acme", Sha256 }] },
        },
      },
    },
    { logger: false },
  );
  const made = createGateway(config, {
    logger: false,
    trustProxy: "loopback",
    observers: [accessLog({ info: (fields) => lines.push(JSON.stringify(fields)) })],
    middleware: [
      (req, _res, next) => {
        Object.assign(req.headers, JSON.parse(String(req.headers["x-set"] ?? "{}")));
        next();
      },
    ],
  });
  gateway = await serve(made, made);
});
afterAll(() => Promise.all([gateway.close(), upstream.close()]));

async function arrivedOf(path: string, headers: Headers): Promise<{ url: string; headers: Headers }> {
  const { status, body } = await request({ port: gateway.port, path, headers });
  expect(status).toBe(200);
  return JSON.parse(body.toString()) as { url: string; headers: Headers };
}

describe("An Authorization that was not verified does not travel, whatever it ends with:", () => {
  test.each([
    ["a forged token before the one of the cookie", `Bearer ${forged} ${token}`],
    ["a list of both", `Bearer ${forged}, x=${token}`],
    ["another scheme", `Basic abc${token}`],
    ["an own word before the token", `Bearer ${forged} Bearer ${token}`],
  ])("%s", async (_title, authorization) => {
    const { headers } = await arrivedOf("/locked", { authorization, cookie: `sess=${token}` });
    expect(headers.authorization).toBeUndefined();
    const asked = await arrivedOf(`/locked?access_token=${token}`, { authorization });
    expect(asked.headers.authorization).toBeUndefined();
  });

  test("the verified one does", async () => {
    const authorization = `bearer  ${token}`;
    expect((await arrivedOf("/locked", { authorization })).headers.authorization).toBe(authorization);
  });
});

describe("A credential does not travel under a name that an upstream takes for the one that a scheme reads:", () => {
  const authorization = `Bearer ${token}`;

  test.each(["X-Api-Key", "X_Api_Key", "x.api.key"])("the header %s", async (name) => {
    for (const path of ["/locked", "/open"]) {
      const { headers } = await arrivedOf(path, { authorization, [name]: key });
      expect(JSON.stringify(headers)).not.toContain(key);
    }
  });

  test.each([
    ["another case", `Sess=${forged}`, undefined],
    ["a comma, where RFC 2109 begins a cookie", ` a=b,sess=${forged}`, "a=b"],
    ["quotes", `"sess"=${forged}`, undefined],
    ["a bracket, which PHP reads as a list", `sess[x]=${forged}; c=1`, "c=1"],
    ["escapes, which PHP decodes", `c=1; %73ess=${forged}`, "c=1"],
    ["the name as it is, beside values with commas", `a=1,2; sess=${forged}; c=3`, "a=1,2; c=3"],
  ])("a cookie with %s", async (_title, cookie, left) => {
    for (const path of ["/locked", "/open"]) {
      const { headers } = await arrivedOf(path, { authorization, cookie });
      expect(headers.cookie).toBe(left);
    }
  });
});

test.each([
  ["a bracket", `/open?access_token[]=${forged}&a=1`, "/?a=1"],
  ["another case", `/open?Access_Token=${forged}`, "/"],
  ["a dot, which PHP reads as _", `/open?access.token=${forged}`, "/"],
  ["a semicolon before it", `/open?x=1;access_token=${forged};y=2`, "/?x=1;y=2"],
  ["a semicolon before it, in a placeholder", `/captured?a=1;access_token=${forged}`, "/?b=1"],
])("a token does not travel, nor stand in a log, in a parameter whose name has %s", async (_title, path, url) => {
  lines.length = 0;
  expect((await arrivedOf(path, {})).url).toBe(url);
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain(forged);
});

describe("A token of a query does not travel in a header that tells an address:", () => {
  const authorization = `Bearer ${token}`;

  test.each([
    ["Referer", `https://app.test/a?access_token=${forged}&b=1#c`, "https://app.test/a?b=1#c"],
    ["Referer", `https://app.test/?b=1&access_token[]=${forged}`, "https://app.test/?b=1"],
    ["Referer", `https://app.test/?access_token=${forged},second?third&b=1`, "https://app.test/?b=1"],
    ["Referer", `https://app.test/?a=1&access_token=${forged},second&b=1,2`, "https://app.test/?a=1&b=1,2"],
    ["Referer", `https://app.test/?access_token=${forged},access_token=second`, "https://app.test/"],
    ["Referer", `https://app.test/#access_token=${forged}`, "https://app.test/"],
    ["X-Original-URL", `/a?%61ccess_token=${forged}`, "/a"],
    ["X-Rewrite-URL", `/a?b=1;access.token=${forged};c`, "/a?b=1;c"],
    ["X-Original-URI", `/a;access_token=${forged}/b?c=1`, "/a?c=1"],
    ["X-Forwarded-Uri", `/a?b=1, /c?Access_Token=${forged}`, "/a?b=1, /c"],
    ["X-Envoy-Original-Path", `/?access_token=${forged}?access_token=${forged}`, "/"],
    ["HX-Current-URL", `https://app.test/?access_token=${forged}`, "https://app.test/"],
    ["X_Request_Uri", `/?access_token=${forged}`, "/"],
    ["X-Original-Query", `access_token=${forged}&b=1`, "b=1"],
    ["Referer", "https://app.test/a?b=%3D&c=1+2,3;d#?", "https://app.test/a?b=%3D&c=1+2,3;d#?"],
  ])("%s: %s", async (name, value, left) => {
    for (const path of ["/locked", "/open"]) {
      const { headers } = await arrivedOf(path, { authorization, [name]: value });
      expect(headers[name.toLowerCase()]).toBe(left);
    }
  });

  test("nor in a placeholder of such a header, and it is masked in logs and explanations", async () => {
    lines.length = 0;
    const headers = { referer: `/a?access_token=${forged}&b=1` };
    expect((await arrivedOf("/from", headers)).url).toBe("/?v=%2Fa%3Fb%3D1");
    expect(lines.join()).not.toContain(forged);
    for (const path of ["/from", "/open"]) {
      const explanation = explainRequest(config, { method: "GET", path, headers });
      expect(JSON.stringify(maskByConfig(config, explanation))).not.toContain(forged);
    }
  });
});

test("a token among protocols travels in no placeholder, and is masked in logs and explanations", async () => {
  lines.length = 0;
  const headers = { "sec-websocket-protocol": `bearer, ${token}` };
  expect((await arrivedOf("/protocol", headers)).url).toBe("/?v=");
  expect(lines.join()).not.toContain(token);
  const explanation = explainRequest(config, { method: "GET", path: "/protocol", headers });
  expect(JSON.stringify(maskByConfig(config, explanation))).not.toContain(token);
});

test.each([
  ["/locked", { authorization: `Bearer ${token}` }],
  ["/locked", { cookie: `sess=${token}` }],
  ["/open", {}],
  ["/open", { "x-api-key": key }],
])("what middleware sets for the service travels: %s %j", async (path, headers: Headers) => {
  const set = { authorization: "Basic c2VydmljZTpwYXNz", "x-api-key": "the key of the service" };
  const arrived = await arrivedOf(path, { ...headers, "x-set": JSON.stringify(set) });
  expect(arrived.headers).toMatchObject(set);
});
