import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { exportSPKI } from "jose";
import { createGateway, type Gateway, type GatewayConfig, parseConfig } from "../../src/index.ts";
import { jwtBearer } from "../../src/jwt.ts";
import { request } from "../helpers/send-raw.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { createIssuerKey, type Issuer, type IssuerKey, startIssuer } from "./start-issuer.ts";

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

describe("Key files at a reload", () => {
  let keys: readonly IssuerKey[];
  let tokens: readonly string[];
  let folder: string;
  let running: RunningGateway;
  const names = ["First", "Middle", "Last"];
  const fileOf = (name: string): string => join(folder, `${name}.pem`);

  beforeAll(async () => {
    keys = [await createIssuerKey("old", "ES256"), await createIssuerKey("renewed", "RS256")];
    tokens = await Promise.all(keys.map((key) => issuer.sign({}, key)));
  });

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "waymark-"));
    await Promise.all([...names, "Code"].map((name) => write(name, keys[0]!)));
    const Code = jwtBearer({ issuer: issuer.url, audience: "api", keyFile: fileOf("Code") });
    const gateway = createGateway(describeFiles(), { logger: false, authentication: { Code } });
    running = await serve(gateway, gateway);
  });
  afterEach(async () => {
    await running.close();
    rmSync(folder, { recursive: true });
  });

  async function write(name: string, { publicKey }: IssuerKey): Promise<void> {
    writeFileSync(fileOf(name), await exportSPKI(publicKey));
  }

  /** One route for each scheme, whose name is its path; the scheme `Code` is made in code. */
  function describeFiles(more: object = {}): GatewayConfig {
    const scheme = (name: string): object => ({
      Type: "Jwt",
      Issuer: issuer.url,
      Audience: "api",
      KeyFile: fileOf(name),
    });
    const Routes = [...names, "Code"].map((name) => ({
      UpstreamPathTemplate: `/${name}`,
      DownstreamPathTemplate: "/",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
      AuthenticationOptions: { AuthenticationProviderKey: name },
    }));
    const AuthenticationSchemes = Object.fromEntries(names.map((name) => [name, scheme(name)]));
    return parseConfig({ Routes, GlobalConfiguration: { AuthenticationSchemes, ...more } }, { logger: false });
  }

  /** Of each scheme, which of the two keys signs tokens that it takes. */
  async function taken(): Promise<readonly (readonly boolean[])[]> {
    const ask = (name: string, token: string): Promise<number> =>
      statusOf(running, { authorization: `Bearer ${token}` }, `/${name}`);
    const statuses = [...names, "Code"].map((name) => Promise.all(tokens.map((token) => ask(name, token))));
    return (await Promise.all(statuses)).map((each) => each.map((status) => status === 200));
  }

  const old = [true, false];
  const renewed = [false, true];

  test("are read anew, also that of a scheme that is made in code", async () => {
    expect(await taken()).toEqual([old, old, old, old]);
    await Promise.all([...names, "Code"].map((name) => write(name, keys[1]!)));
    expect(await taken()).toEqual([old, old, old, old]);
    await running.gateway.reload(describeFiles());
    expect(await taken()).toEqual([renewed, renewed, renewed, renewed]);
  });

  test.each<[why: string, breakIt: () => void, more: object, code: string]>([
    ["one of them holds no key", () => writeFileSync(fileOf("Middle"), "no key"), {}, "option-invalid"],
    ["one of them is gone", () => rmSync(fileOf("Last")), {}, "option-invalid"],
    ["that of a scheme in code holds no key", () => writeFileSync(fileOf("Code"), "no key"), {}, "option-invalid"],
    [
      "something else cannot be used",
      () => undefined,
      { AuthenticationOptions: { AuthenticationProviderKeys: ["Nope"] } },
      "name-unknown",
    ],
  ])("change nothing where %s: all or none", async (_why, breakIt, more, code) => {
    await Promise.all([...names, "Code"].map((name) => write(name, keys[1]!)));
    breakIt();
    await expect(running.gateway.reload(describeFiles(more))).rejects.toMatchObject({ code });
    expect(await taken()).toEqual([old, old, old, old]);
  });
});

function open(config: GatewayConfig): Promise<RunningGateway> {
  const gateway: Gateway = createGateway(config, { logger: false });
  return serve(gateway, gateway);
}

async function statusOf({ port }: RunningGateway, headers: Record<string, string>, path = "/"): Promise<number> {
  return (await request({ port, path, headers })).status;
}
