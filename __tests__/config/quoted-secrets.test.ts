import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { ConfigError, parseConfig } from "../../src/index.ts";
import { allSections } from "../../src/config/sections.ts";
import { sampled } from "../fuzz/bounds.ts";
import { route } from "./configurations.ts";

const secret = "s3sameZq";

type Told = Readonly<{ text: string; codes: readonly string[] }>;

/** All that is told of a configuration: the error and its problems, or the warnings, and what is logged. */
function toldOf(input: unknown, environment: Readonly<Record<string, string>> = {}): Told {
  const logged: string[] = [];
  const log = (problem: object, line: string): void => void logged.push(line, JSON.stringify(problem));
  const logger = { error: log, warn: log, info: log, debug: log };
  const tell = (message: string, problems: ConfigError["problems"]): Told => ({
    text: [message, JSON.stringify(problems), ...logged].join("\n"),
    codes: problems.map(({ code }) => code),
  });
  try {
    return tell("", parseConfig(input, { logger, environment, lint: true }).warnings);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return tell(String(error.stack), error.problems);
  }
}

/** What a value of that kind may come as; each has the secret within. */
const values: readonly string[] = [
  ...[secret, ` ${secret} `, `Bearer ${secret}`, `Basic ${secret} Claims[`, `Claims[${secret}] > value[x]`],
  ...[`${secret}\nx`, `a "${secret}" \\ b`, `a, ${secret}\u0001`, `é${secret}\u202e`, `{${secret}}`, `{${secret}`],
  ...[`${secret}}`, secret.repeat(20), `\${${secret} x}`],
];
const urls: readonly string[] = [
  ...[
    `https://u:${secret}@h:99999/x y`,
    `http://:${secret}@h`,
    `http://${secret}@h`,
    `u:${secret}@h`,
    `//u:${secret}@h`,
  ],
  ...[
    `http://u:a@${secret}@h`,
    `https://u:${secret.repeat(20)}@h`,
    `https://u:${secret}.h:x`,
    `https://u:a\r${secret}@h {`,
    `https:/\r/u:${secret}@h {`,
    `/x?api\rkey=${secret} {`,
    `/x?apikey=${secret}&b={`,
    `/x?a=1&token=${secret} {`,
  ],
];

const broughtValues: readonly string[] = [
  ...[` ${secret} `, `Bearer ${secret}`, `a "${secret}" \\ b\n`, `é${secret}\u202e`, secret.repeat(20)],
  `https://u:${secret.repeat(20)}@h`,
];

const names: readonly string[] = [
  ...["Authorization", "password", "X-Api-Key", "apiKey", "ClientSecret", "Cookie", "Secert", "Token", "Url"],
  ...["Secret", "Sha256", "IdentityKey", "StickyKey"],
];

const schemes = { AuthenticationSchemes: { B: { Type: "Jwt", Issuer: "https://i", Audience: "a" } } };
const freeNames: readonly string[] = [
  ...["AddHeadersToRequest", "AddQueriesToRequest", "AddClaimsToRequest", "ChangeDownstreamPathTemplate"],
  ...["RouteClaimsRequirement", "UpstreamHeaderTransform", "DownstreamHeaderTransform", "UpstreamHeaderTemplates"],
  ...["Metadata", "AuthenticationOptions", "RateLimitOptions", "CacheOptions", "Limits", "HttpHandlerOptions"],
];

function locked(more: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const AuthenticationOptions = { AuthenticationProviderKey: "B" };
  return { Routes: [route({ AuthenticationOptions, ...more })], GlobalConfiguration: schemes };
}

/** Configurations with one value where keys tell that it is a secret. */
function* underSecretNames(value: unknown): Generator {
  for (const option of freeNames) {
    yield locked({ [option]: Object.fromEntries(names.map((name) => [name, value])) });
  }
  for (const [name, Type] of [
    ["P", "Jwt"],
    ["Keys", "ApiKey"],
    ["Bearer", "Introspection"],
  ] as const) {
    const Keys = [{ Name: "x", Sha256: value }, value];
    const scheme = { Type, Secret: value, ClientSecret: value, SigningKeys: [value], Tokne: { of: value }, Keys };
    const ServiceDiscoveryProvider = { Type: "Consul", Token: value };
    const Providers = { [name]: ServiceDiscoveryProvider, Tokens: value };
    const AuthenticationSchemes = { [name]: scheme, ApiKey: value, Keys2: [value], Secret: [{ a: value }] };
    const more = { AuthenticationSchemes, ServiceDiscoveryProvider, Providers, Redis: { Url: value } };
    yield { Routes: [route()], GlobalConfiguration: { ...more, IdentityKey: value, StickyKey: value } };
  }
}

const homes: Readonly<Record<string, (more: object) => unknown>> = {
  route: (more) => ({ Routes: [route({ ...more })] }),
  host: (more) => ({ Routes: [route({ DownstreamHostAndPorts: [{ Host: "h", ...more }] })] }),
  global: (more) => ({ Routes: [route()], GlobalConfiguration: more }),
  provider: (more) => ({ Routes: [route()], GlobalConfiguration: { ServiceDiscoveryProvider: more } }),
  redis: (more) => ({ Routes: [route()], GlobalConfiguration: { Redis: more } }),
  scheme: (more) => ({
    Routes: [route()],
    GlobalConfiguration: { AuthenticationSchemes: { P: { Type: "Jwt", ...more } } },
  }),
};

/** Configurations with one value under each key of the format. */
function* underEachKey(value: unknown): Generator {
  for (const { name, keys } of allSections) {
    const home = homes[name];
    if (home === undefined) continue;
    for (const key of Object.keys(keys)) yield* [home({ [key]: value }), home({ [key]: [value] })];
  }
}

/** One of some values under each key; in the short form each key has one of them, by turns. */
function underKeysByTurns<Value>(values: readonly Value[], place: (value: Value) => readonly unknown[]) {
  return values.map((value, turn) => [value, sampled(place(value), values.length, turn)] as const);
}

/** The codes of all that is found in configurations, none of which shows the secret. */
function expectHidden(
  configurations: Iterable<unknown>,
  environment: Readonly<Record<string, string>> = {},
): Set<string> {
  const codes = new Set<string>();
  for (const configuration of configurations) {
    for (const input of [JSON.stringify(configuration, undefined, 1), configuration]) {
      const told = toldOf(input, environment);
      const shown = told.text.split("\n").filter((line) => line.toLowerCase().includes(secret.toLowerCase()));
      if (shown.length > 0) expect({ input, shown }).toEqual({ input, shown: [] });
      told.codes.forEach((code) => codes.add(code));
    }
  }
  return codes;
}

function union(sets: readonly ReadonlySet<string>[]): Set<string> {
  return new Set(sets.flatMap((codes) => [...codes]));
}

describe("what is said of a value that its line does not show", () => {
  test("shows it neither where a key is named like a secret", () => {
    const codes = union(
      values.concat(urls).map((value, turn) => expectHidden(sampled([...underSecretNames(value)], 5, turn))),
    );
    for (const code of ["claims-literal", "claims-invalid", "transform-invalid", "requirement-invalid", "wrong-type"]) {
      expect(codes).toContain(code);
    }
    expect(codes.size).toBeGreaterThanOrEqual(15);
  });

  test.each([
    ["a list", [secret, [secret]]],
    ["an object", { a: secret, b: { c: secret } }],
    ["a number", 5353],
  ])("nor where the value is %s", (_kind, value) => {
    const hidden = typeof value === "number" ? /found 5353/ : /s3same/i;
    for (const configuration of underSecretNames(value)) expect(toldOf(configuration).text).not.toMatch(hidden);
  });

  test("nor in a URL, of which a name and a password and literal values of parameters are secret", () => {
    const placed = underKeysByTurns(urls, (url) => [...underEachKey(url)]);
    const codes = union(placed.map(([, configurations]) => expectHidden(configurations)));
    expect(codes).toContain("host-invalid");
    expect(codes.size).toBeGreaterThanOrEqual(25);
  });

  test("nor where a variable brings it, whatever its name", () => {
    const brought = [...underSecretNames("${PARTNER}"), ...underSecretNames("Basic ${PARTNER} Claims[")];
    for (const [PARTNER, configurations] of underKeysByTurns(broughtValues, () => brought)) {
      expectHidden(configurations, { PARTNER });
    }
  });

  test("nor where only the name of the variable tells it", () => {
    const brought = [...underEachKey("${DB_PASSWORD}"), ...underEachKey("/x${DB_PASSWORD}")];
    for (const [DB_PASSWORD, configurations] of underKeysByTurns(broughtValues, () => brought)) {
      expectHidden(configurations, { DB_PASSWORD });
    }
  });
});

test("What is said of other places shows no secret beside them", () => {
  const file = new URL("../fixtures/config-findings.json", import.meta.url);
  const rows = JSON.parse(readFileSync(file, "utf8")) as readonly Readonly<{ text: string }>[];
  const configurations = rows.flatMap(({ text }) => {
    try {
      return [withSecrets(JSON.parse(text))];
    } catch {
      return [];
    }
  });
  expect(configurations.length).toBeGreaterThanOrEqual(120);
  expectHidden(configurations);
});

/** The same, with secrets in each route and in the global section. */
function withSecrets(configuration: unknown): unknown {
  const { Routes, GlobalConfiguration, ...rest } = configuration as Record<string, unknown>;
  const routes = Array.isArray(Routes) ? Routes.map((one: unknown) => withMembers(one, secrets)) : Routes;
  const inGlobal = withMembers(GlobalConfiguration ?? {}, { IdentityKey: secret, StickyKey: secret });
  return { ...rest, Routes: routes, GlobalConfiguration: inGlobal };
}

const secrets = {
  Metadata: { token: secret, "db.password": `a ${secret}` },
  UpstreamHeaderTransform: { "X-Api-Key": secret, Authorization: `Bearer ${secret}` },
  AddHeadersToRequest: { "X-Token": secret, Cookie: `Claims[${secret}` },
};

function withMembers(value: unknown, members: object): unknown {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value, ...members } : value;
}

describe("what is said of a value that its line shows", () => {
  test.each([
    ["X-From", "gateway"],
    ["X-Sub", "claim[sub] > value"],
  ])("quotes it: %s", (name, value) => {
    expect(toldOf(locked({ AddHeadersToRequest: { [name]: value } })).text).toContain(`\\"${value}\\" reads no claim`);
  });

  test("leaves its own words as they are", () => {
    const { text } = toldOf(locked({ AddHeadersToRequest: { Authorization: "Claims[sub] value" } }));
    expect(text).toContain('expected "Claims[name] > value" or "Claims[name] > value[n] > delimiter"');
    expect(text).not.toContain("[sub]");
  });

  test("names a variable that is not filled in", () => {
    const { text } = toldOf(locked({ AddHeadersToRequest: { Authorization: "$${TOKEN}" } }));
    expect(text).toContain('"${TOKEN}" reads no claim');
  });
});
