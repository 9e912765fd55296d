import { describe, expect, test } from "@jest/globals";
import { jwtBearer } from "../../src/jwt.ts";
import { one, refusalOf, warningsOf } from "../config/configurations.ts";

const secret = "a-secret-of-at-least-32-bytes-for-hs256";
const Jwt = { Type: "Jwt", Issuer: false, Audience: false, Secret: secret };

function scheme(more: object): object {
  return { Routes: [], GlobalConfiguration: { AuthenticationSchemes: { Own: { ...Jwt, ...more } } } };
}

describe("A requirement whose value code has left undefined does not vanish:", () => {
  test.each<[string, unknown]>([
    ["a claim of all tokens", scheme({ RequiredClaims: { tid: undefined } })],
    ["one beside another", scheme({ RequiredClaims: { tid: undefined, aud: "a" } })],
    ["a claim of a route", one({ RouteClaimsRequirement: { tid: undefined } })],
    ["one of several values", one({ RouteClaimsRequirement: { tid: ["a", undefined] } })],
  ])("%s", (_title, input) => {
    expect(refusalOf(input).problems.map(({ code }) => code)).toContain("lock-value-empty");
  });

  test("a claim of a scheme that is made in code", () => {
    const make = (): unknown =>
      jwtBearer({ issuer: false, audience: false, secret, requiredClaims: { tid: undefined } });
    expect(make).toThrow(/requiredClaims: .*"tid"/);
  });

  test("elsewhere undefined means absent", () => {
    const input = one({
      Key: undefined,
      RouteClaimsRequirement: undefined,
      Metadata: { a: undefined },
      Own: undefined,
    });
    expect(warningsOf(input)).toEqual([]);
  });
});

test.each([[["false"]], [[false]], [["api", "False"]]])(
  "no list of audiences switches their check off: %j",
  (Audience) => {
    expect(refusalOf(scheme({ Audience })).problems).toMatchObject([
      { code: "scheme-contradictory", path: expect.stringMatching(/Audience\[\d\]$/) },
    ]);
  },
);

test("false alone does", () => {
  expect(warningsOf(scheme({ Audience: "false" }))).toEqual(["no-routes"]);
});
