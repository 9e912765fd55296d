import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { parse } from "jsonc-parser";
import { parseConfig } from "../../src/index.ts";
import { ConfigError } from "../../src/errors.ts";
import { createLogBook, route } from "./configurations.ts";

type Written = Readonly<Record<string, unknown>>;

const Bearer = { Type: "Jwt", Issuer: "https://login.example.org", Audience: "api" };

/** What is wrong or doubtful about the authentication in a configuration, once every scheme that it names is defined. */
function problemsOf(configuration: Written): string[] {
  const { GlobalConfiguration = {} } = configuration;
  const AuthenticationSchemes = Object.fromEntries(namesIn(configuration).map((name) => [name, Bearer]));
  const { logger, fields } = createLogBook();
  const global = { ...(GlobalConfiguration as Written), AuthenticationSchemes };
  try {
    parseConfig({ ...configuration, GlobalConfiguration: global }, { logger, lint: true });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
  }
  const problems = fields as readonly Readonly<{ code: string; path: string }>[];
  return problems
    .filter(({ code, path }) => path.includes("Authentication") || /^(scheme-(?!unknown)|api-key)/.test(code))
    .map(({ code, path }) => `${code} ${path}`);
}

function namesIn(configuration: Written): string[] {
  const names = [...JSON.stringify(configuration).matchAll(/"AuthenticationProviderKeys?":(\[[^\]]*\]|"[^"]*")/gi)];
  const all = names.flatMap(([, value]) => [JSON.parse(value!) as string | string[]].flat());
  return [...new Set(all)].filter((name) => name !== "");
}

describe("AuthenticationOptions as people write them have no problem, once the schemes are there", () => {
  test.each<[why: string, section: unknown]>([
    ["a key and scopes", { AuthenticationProviderKey: "Bearer", AllowedScopes: ["orders", "invalid-scope"] }],
    ["a key without scopes", { AuthenticationProviderKey: "IdentityApiKey", AllowedScopes: [] }],
    ["what a tool wrote where nothing was meant", { AuthenticationProviderKey: null, AllowedScopes: [] }],
    ["an empty key", { AuthenticationProviderKey: "", AllowedScopes: [] }],
    ["nothing", {}],
    ["several keys", { AuthenticationProviderKeys: ["Bearer", "Internal"] }],
    [
      "the new keys, all of them",
      { AuthenticationProviderKeys: ["Bearer"], AllowAnonymous: false, AllowedScopes: null },
    ],
  ])("%s", (_why, AuthenticationOptions) => {
    expect(problemsOf({ ReRoutes: [route({ AuthenticationOptions })] })).toEqual([]);
  });

  // Files that others have written are no part of the project; where a folder of them stands beside it, they are read.
  const folder = ["../../../shared/wild/", "../../../../shared/wild/"]
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find(existsSync);
  const files = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith(".json"));
  const inFolder = files.map((name): [string, string] => [
    name,
    (JSON.parse(readFileSync(`${folder}${name}`, "utf8")) as { text: string }).text,
  ]);
  const locked = inFolder.filter(([, text]) => text.includes('"AuthenticationProviderKey'));

  (locked.length === 0 ? test.skip : test)(
    "a folder of files as people have them: skipped where it is not there",
    () => {
      const found = locked.map(([name, text]) => [name, problemsOf(parse(text) as Written)]);
      expect(found.filter(([, problems]) => problems!.length > 0)).toEqual([]);
    },
  );
});
