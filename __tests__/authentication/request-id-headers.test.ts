import { describe, expect, test } from "@jest/globals";
import { type Authenticator, createGateway, parseConfig } from "../../src/index.ts";
import { one, refusalOf, route } from "../config/configurations.ts";

const Sha256 = "83b9d507afbadf51b9afe38f69814d915decd7f6e67f537213b01487a82c1ad8";
const Keys = { Type: "ApiKey", Keys: [{ Name: "acme", Sha256 }] };
const problem = { code: "header-name-reserved", path: expect.stringMatching(/RequestIdKey$/) };

describe("The id of a request stands in no header in which a scheme reads credentials:", () => {
  test.each<[string, Readonly<Record<string, unknown>>, object, object]>([
    ["of all routes", {}, { RequestIdKey: "X-Api-Key" }, Keys],
    ["of a route", { RequestIdKey: "x-api-key" }, {}, Keys],
    ["in another spelling", { RequestIdKey: "X_Api_Key" }, {}, Keys],
    [
      "the header that a scheme names itself",
      {},
      { RequestIdKey: "X-Request-Id" },
      { ...Keys, Header: "x-request-id" },
    ],
  ])("%s", (_title, own, global, scheme) => {
    const GlobalConfiguration = { ...global, AuthenticationSchemes: { Partners: scheme } };
    expect(refusalOf({ Routes: [route(own)], GlobalConfiguration }).problems).toMatchObject([problem]);
  });

  test("of a scheme that is passed in code", () => {
    const Own: Authenticator = Object.assign(() => undefined, { reads: { headers: ["X-Session"] } });
    const config = parseConfig(one({ RequestIdKey: "x-session" }), { logger: false });
    expect(() => createGateway(config, { logger: false, authentication: { Own } })).toThrow(/"RequestIdKey" is/);
  });
});
