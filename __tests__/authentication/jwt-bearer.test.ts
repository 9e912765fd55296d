import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { createGateway, parseConfig } from "../../src/index.ts";
import { jwtBearer, type JwtBearerOptions } from "../../src/jwt.ts";
import { request } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { type Claims, createIssuerKey, type Issuer, type IssuerKey, startIssuer } from "./start-issuer.ts";

const ends: (() => unknown)[] = [];
let upstream: Upstream;
let issuer: Issuer;
let rsa: IssuerKey;

beforeAll(async () => {
  upstream = await startUpstream((req, res) => res.end(req.headers.authorization ?? "none"));
  rsa = await createIssuerKey("one", "RS256");
  issuer = await startIssuer(rsa);
});
afterAll(() => Promise.all([upstream.close(), issuer.close()]));
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

type Ask = (token: string) => ReturnType<typeof request>;

/** Two gateways with the same scheme: one has it from the configuration, the other from code. */
async function startBoth(options: Partial<JwtBearerOptions>): Promise<Ask[]> {
  const both = { issuer: issuer.url, audience: "api", ...options };
  const keys = Object.entries(both).map(([name, value]) => [name[0]!.toUpperCase() + name.slice(1), value]);
  const Bearer = { Type: "Jwt", ...(Object.fromEntries(keys) as object) };
  return [
    await start({ AuthenticationSchemes: { Bearer } }, {}),
    await start({}, { authentication: { Bearer: jwtBearer(both) } }),
  ];
}

async function start(GlobalConfiguration: object, options: Parameters<typeof createGateway>[1]): Promise<Ask> {
  const Routes = [
    {
      UpstreamPathTemplate: "/",
      DownstreamPathTemplate: "/",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
      AuthenticationOptions: { AuthenticationProviderKey: "Bearer" },
    },
  ];
  const config = parseConfig({ Routes, GlobalConfiguration }, { logger: false });
  const gateway = createGateway(config, { ...options, logger: false });
  const { port, close } = await serve(gateway, gateway);
  ends.push(close);
  return (token) => request({ port, path: "/", headers: { authorization: `Bearer ${token}` } });
}

const now = (): number => Math.floor(Date.now() / 1_000);

test.each<[string, Partial<JwtBearerOptions>, Claims, object, number]>([
  ["takes what the issuer signs", {}, {}, {}, 200],
  ["refuses what is meant for somebody else", {}, { aud: "other" }, {}, 401],
  ["takes what is meant for one of several", { audience: ["web", "api"] }, {}, {}, 200],
  ["compares no audience where it is told so", { audience: false }, { aud: "other" }, {}, 200],
  ["takes the algorithms that are named", { algorithms: ["ES256"] }, {}, {}, 401],
  ["takes the types that are named", { types: ["JWT"] }, {}, { typ: "at+jwt" }, 401],
  ["allows for clocks that differ as much as it is told", { clockTolerance: 5 }, { exp: now() - 30 }, {}, 401],
  ["allows a minute otherwise", {}, { exp: now() - 30 }, {}, 200],
  ["asks for claims", { requiredClaims: { tid: "a" } }, { tid: "b" }, {}, 401],
])("the scheme that is made in code, as the configured one, %s", async (_title, options, claims, header, status) => {
  const token = await issuer.sign(claims, rsa, header);
  const answers = await Promise.all((await startBoth(options)).map((ask) => ask(token)));
  expect(answers.map((answer) => answer.status)).toEqual([status, status]);
});

test("the verified token travels on unless the options say otherwise, in code as in the configuration", async () => {
  const token = await issuer.sign({});
  for (const [forward, arrives] of [
    [true, `Bearer ${token}`],
    [false, "none"],
  ] as const) {
    const answers = await Promise.all((await startBoth({ forward })).map((ask) => ask(token)));
    expect(answers.map(({ body }) => body.toString())).toEqual([arrives, arrives]);
  }
});

test.each<[string, object, string]>([
  [
    "nobody says for whom tokens are meant",
    { issuer: "https://a.example" },
    '"audience" is missing: expected for whom a token must be meant, or false',
  ],
  [
    "there is neither an issuer nor keys",
    { issuer: false, audience: "api" },
    '"jwksUri" is missing: expected where the keys are, as no issuer is named',
  ],
  [
    "the issuer has no TLS",
    { issuer: "http://a.example", audience: "api" },
    'issuer: expected a URL that begins with https://, found "http://a.example"',
  ],
  [
    "an algorithm is for secrets",
    { issuer: "https://a.example", audience: "api", algorithms: ["RS256", "HS256"] },
    'algorithms[1]: "HS256" cannot be used here: expected one for a public key, such as RS256',
  ],
  [
    "a number is none",
    { issuer: "https://a.example", audience: "api", clockTolerance: -1 },
    "clockTolerance: expected a number of seconds from 0 to 2147483, found -1",
  ],
])("options are refused where %s", (_title, options, reason) => {
  expect(() => jwtBearer(options as JwtBearerOptions)).toThrow(
    expect.objectContaining({ code: "option-invalid", message: `Invalid options of jwtBearer(): ${reason}.` }),
  );
});

test("an option that does not exist is refused, with the one that was meant", () => {
  const options = { issuer: "https://a.example", audience: "api", algorithm: ["RS256"] };
  expect(() => jwtBearer(options)).toThrow('jwtBearer() has no option "algorithm". Did you mean "algorithms"?');
});
