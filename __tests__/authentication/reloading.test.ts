import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { exportSPKI } from "jose";
import { createGateway, type Gateway, type GatewayConfig, parseConfig } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { createIssuerKey, type Issuer, startIssuer } from "./start-issuer.ts";

let upstream: Upstream;
let issuer: Issuer;
let token: string;

beforeAll(async () => {
  upstream = await startUpstream();
  issuer = await startIssuer(await createIssuerKey("one", "ES256"));
  token = await issuer.sign({});
});
afterAll(() => Promise.all([upstream.close(), issuer.close()]));

type Written = Readonly<{ audience?: string; key?: string; route?: object; global?: object }>;

/** Tokens of the issuer, or a key, open the one route. */
function describeGateway({ audience = "api", key = "first", route, global }: Written = {}): GatewayConfig {
  const Keys = [{ Name: "shop", Sha256: createHash("sha256").update(key).digest("hex") }];
  const config = {
    Routes: [
      {
        UpstreamPathTemplate: "/",
        DownstreamPathTemplate: "/",
        DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
        AuthenticationOptions: { AuthenticationProviderKeys: ["Tokens", "Keys"] },
        ...route,
      },
    ],
    GlobalConfiguration: {
      AuthenticationSchemes: {
        Tokens: { Type: "Jwt", Issuer: issuer.url, Audience: audience },
        Keys: { Type: "ApiKey", Keys },
      },
      ...global,
    },
  };
  return parseConfig(config, { logger: false });
}

const byToken = (): Record<string, string> => ({ authorization: `Bearer ${token}` });
const byKey = (key: string) => (): Record<string, string> => ({ "x-api-key": key });
const byNothing = (): Record<string, string> => ({});

test.each<[what: string, after: Written, headers: () => Record<string, string>, status: number]>([
  ["a scheme that stays keeps its issuer's keys", {}, byToken, 200],
  ["a scheme that stays keeps them while another one changes", { key: "second" }, byToken, 200],
  ["a scheme that stays keeps them while its route changes", { route: { Timeout: 7 } }, byToken, 200],
  ["a scheme that changes forgets the tokens that it took", { audience: "other" }, byToken, 503],
  ["a key that is taken back opens nothing", { key: "second" }, byKey("first"), 401],
  ["a key that is added opens the route", { key: "second" }, byKey("second"), 200],
  ["a lock that is lifted is open", { route: { AuthenticationOptions: {} } }, byNothing, 200],
  [
    "a lock for all routes holds",
    {
      route: { AuthenticationOptions: {} },
      global: { AuthenticationOptions: { AuthenticationProviderKeys: ["Keys"] } },
    },
    byNothing,
    401,
  ],
])("after a reload while the issuer is away, %s", async (_what, after, headers, status) => {
  const running = await open(describeGateway());
  try {
    expect(await statusOf(running, byToken())).toBe(200);
    expect(await statusOf(running, byKey("first")())).toBe(200);
    issuer.behaviour.answer = (_req, res) => res.writeHead(500).end();
    await running.gateway.reload(describeGateway(after));
    expect(await statusOf(running, headers())).toBe(status);
  } finally {
    issuer.behaviour.answer = undefined;
    await running.close();
  }
});

test("a reload that names an unknown scheme for all routes is refused, and the gateway goes on", async () => {
  const running = await open(describeGateway());
  const unknown = { AuthenticationOptions: { AuthenticationProviderKeys: ["Nope"] } };
  try {
    await expect(running.gateway.reload(describeGateway({ global: unknown }))).rejects.toMatchObject({
      code: "name-unknown",
    });
    expect(await statusOf(running, byToken())).toBe(200);
    expect(await statusOf(running, byNothing())).toBe(401);
  } finally {
    await running.close();
  }
});

test("a key file is read anew at a reload; one that cannot be used changes nothing", async () => {
  const [old, renewed] = [await createIssuerKey("old", "ES256"), await createIssuerKey("renewed", "RS256")];
  const folder = mkdtempSync(join(tmpdir(), "waymark-"));
  const KeyFile = join(folder, "key.pem");
  const AuthenticationSchemes = { Tokens: { Type: "Jwt", Issuer: issuer.url, Audience: "api", KeyFile } };
  const route = { AuthenticationOptions: { AuthenticationProviderKeys: ["Tokens"] } };
  const describeAgain = (): GatewayConfig => describeGateway({ route, global: { AuthenticationSchemes } });
  const tokens = [await issuer.sign({}, old), await issuer.sign({}, renewed)];
  writeFileSync(KeyFile, await exportSPKI(old.publicKey));
  const running = await open(describeAgain());
  const statuses = (): Promise<number[]> =>
    Promise.all(tokens.map((each) => statusOf(running, { authorization: `Bearer ${each}` })));
  try {
    expect(await statuses()).toEqual([200, 401]);
    writeFileSync(KeyFile, "no key");
    await expect(running.gateway.reload(describeAgain())).rejects.toMatchObject({ code: "option-invalid" });
    expect(await statuses()).toEqual([200, 401]);
    writeFileSync(KeyFile, await exportSPKI(renewed.publicKey));
    await running.gateway.reload(describeAgain());
    expect(await statuses()).toEqual([401, 200]);
  } finally {
    await running.close();
    rmSync(folder, { recursive: true });
  }
});

function open(config: GatewayConfig): Promise<RunningGateway> {
  const gateway: Gateway = createGateway(config, { logger: false });
  return serve(gateway, gateway);
}

async function statusOf({ port }: RunningGateway, headers: Record<string, string>): Promise<number> {
  return (await request({ port, path: "/", headers })).status;
}
