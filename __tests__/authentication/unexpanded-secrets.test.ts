import { expect, test } from "@jest/globals";
import type { ConfigError } from "../../src/index.ts";
import { jwtBearer } from "../../src/jwt.ts";
import { refusalOf } from "../config/configurations.ts";

const unexpanded = "${SIGNING_SECRET_OF_THIS_STAGE_AND_NO_OTHER}";
const tokens = { Type: "Jwt", Issuer: "me", Audience: false };
const opaque = { Type: "Introspection", Url: "https://a.example", ClientId: "me", Issuer: false, Audience: false };

function found({ problems }: ConfigError): readonly string[] {
  return problems.map(({ code, path }) => `${code} ${path}`);
}

test.each<[why: string, global: object, path: string]>([
  ["the secret of tokens", schemes({ ...tokens, Secret: unexpanded }), "AuthenticationSchemes.Own.Secret"],
  ["a secret that holds one", schemes({ ...tokens, Secret: `a-${unexpanded}` }), "AuthenticationSchemes.Own.Secret"],
  [
    "the gateway's own secret, with a default",
    schemes({ ...opaque, ClientSecret: "${CLIENT_SECRET:-none}" }),
    "AuthenticationSchemes.Own.ClientSecret",
  ],
  ["the key of pseudonyms", { IdentityKey: unexpanded }, "IdentityKey"],
])("a variable that nobody has expanded is no secret: %s", (_why, GlobalConfiguration, path) => {
  for (const input of [{ Routes: [], GlobalConfiguration }, JSON.stringify({ Routes: [], GlobalConfiguration })]) {
    const refusal = refusalOf(input);
    expect(found(refusal)).toEqual([`secret-unexpanded GlobalConfiguration.${path}`]);
    expect(refusal.problems[0]!.message).toMatch(/--env, .* option environment/);
  }
});

test("the value of a variable is not expanded: one that names another variable is no secret either", () => {
  const input = { Routes: [], GlobalConfiguration: { IdentityKey: "${KEY}" } };
  const refusal = refusalOf(JSON.stringify(input), { environment: { KEY: unexpanded } });
  expect(found(refusal)).toEqual(["secret-unexpanded GlobalConfiguration.IdentityKey"]);
});

test("a scheme that is made in code takes no variable for its secret", () => {
  expect(() => jwtBearer({ issuer: "me", audience: "us", secret: unexpanded })).toThrow(/secret: .* --env/);
});

function schemes(Own: object): object {
  return { AuthenticationSchemes: { Own } };
}
