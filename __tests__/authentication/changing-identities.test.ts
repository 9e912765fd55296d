import { createHmac } from "node:crypto";
import { expect, test } from "@jest/globals";
import type { Authenticator, Identity } from "../../src/index.ts";
import { jwtBearer } from "../../src/jwt.ts";
import { request } from "../helpers/send-raw.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

test("a scheme may keep its users as objects: what it changes of one counts from the next request on", async () => {
  const upstream = await startUpstream((req, res) => res.end(req.headers["x-role"]));
  const user = { id: "ada", claims: { role: "admin", groups: ["a"] } };
  const Own: Authenticator = Object.assign(() => user, { reads: { headers: ["x-session"] } });
  const Routes = [
    {
      UpstreamPathTemplate: "/",
      DownstreamPathTemplate: "/",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
      AuthenticationOptions: { AuthenticationProviderKey: "Own" },
      RouteClaimsRequirement: { groups: "a" },
      AddHeadersToRequest: { "X-Role": "Claims[role] > value" },
    },
  ];
  const running = await startGateway({ Routes }, { authentication: { Own } });
  const ask = async (): Promise<string> => {
    const { status, body } = await request({ port: running.port, path: "/", headers: { "x-session": "1" } });
    return status === 200 ? body.toString() : String(status);
  };
  try {
    expect(await ask()).toBe("admin");
    user.claims.role = "guest";
    expect(await ask()).toBe("guest");
    user.claims.groups.pop();
    expect(await ask()).toBe("403");
    user.claims = { role: "nobody", groups: ["a"] };
    expect(await ask()).toBe("nobody");
  } finally {
    await Promise.all([running.close(), upstream.close()]);
  }
});

const secret = "a-secret-of-at-least-32-bytes-for-hs256";

function tokenOf(claims: object): string {
  const expires = Math.floor(Date.now() / 1_000) + 600;
  const parts = [{ alg: "HS256" }, { iss: "me", sub: "ada", exp: expires, ...claims }];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}

const claims = { role: "guest" };

test.each<[string, (identity: Identity) => Identity]>([
  ["spread", (identity) => ({ ...identity, claims })],
  [
    "made of its descriptors",
    (identity) =>
      Object.create(null, {
        ...Object.getOwnPropertyDescriptors(identity),
        claims: { value: claims, enumerable: true },
      }) as Identity,
  ],
  ["that inherits from it", (identity) => Object.create(identity, { claims: { value: claims } }) as Identity],
])("what was found out about a token's identity does not count for a copy %s", async (_how, copy) => {
  const upstream = await startUpstream((req, res) => res.end(req.headers["x-role"]));
  const byToken = jwtBearer({ issuer: "me", audience: false, secret });
  const lowered: Authenticator = async (req, context) => {
    const identity = await byToken(req, context);
    return identity && copy(identity);
  };
  const route = (path: string, scheme: string): object => ({
    UpstreamPathTemplate: path,
    DownstreamPathTemplate: "/",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    AuthenticationOptions: { AuthenticationProviderKey: scheme },
    AddHeadersToRequest: { "X-Role": "Claims[role] > value" },
  });
  const authentication = { Full: byToken, Lowered: Object.assign(lowered, { reads: byToken.reads! }) };
  const running = await startGateway(
    { Routes: [route("/full", "Full"), route("/low", "Lowered")] },
    { authentication },
  );
  const headers = { authorization: `Bearer ${tokenOf({ role: "admin" })}` };
  const ask = async (path: string): Promise<string> =>
    (await request({ port: running.port, path, headers })).body.toString();
  try {
    expect([await ask("/full"), await ask("/low"), await ask("/full"), await ask("/low")]).toEqual([
      "admin",
      "guest",
      "admin",
      "guest",
    ]);
  } finally {
    await Promise.all([running.close(), upstream.close()]);
  }
});
