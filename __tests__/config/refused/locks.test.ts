import { describe, expect, test } from "@jest/globals";
import { global, one, refusalOf } from "../configurations.ts";

const rows: readonly Readonly<{ reason: string; input: unknown; says: readonly string[] }>[] = [
  {
    reason: "authentication as it was written in 2017",
    input: one({ AuthenticationOptions: { Provider: "IdentityServer" } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].AuthenticationOptions.Provider (lock-key-unknown)",
      '  with "Provider" the first versions of Ocelot defined a scheme in place, which guards nothing here: write "AuthenticationProviderKey": "Login" instead, or another name, and define the scheme of this name:',
      '  "GlobalConfiguration": {',
      '    "AuthenticationSchemes": {',
      '      "Login": { "Type": "Jwt", "Issuer": "https://…", "Audience": "…" }',
      "    }",
      "  }",
    ],
  },
  {
    reason: "a text where a list of schemes belongs",
    input: one({ AuthenticationOptions: { AuthenticationProviderKeys: "Bearer" } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].AuthenticationOptions.AuthenticationProviderKeys (wrong-type)",
      '  expected a list of texts, such as ["a"], found "Bearer"',
    ],
  },
  {
    reason: "a scheme without a key",
    input: global({ AuthenticationSchemes: { Partners: { Type: "ApiKey" } } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "GlobalConfiguration.AuthenticationSchemes.Partners (scheme-incomplete)",
      '  scheme "Partners": "Keys" is missing: expected a list of { "Name", "Sha256" }',
    ],
  },
  {
    reason: "the digest of the empty text as a key",
    input: global({
      AuthenticationSchemes: {
        Partners: {
          Type: "ApiKey",
          Keys: [{ Name: "acme", Sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" }],
        },
      },
    }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "GlobalConfiguration.AuthenticationSchemes.Partners.Keys[0].Sha256 (api-key-invalid)",
      '  scheme "Partners": this is the digest of the empty text, which is no key',
    ],
  },
  {
    reason: "keys of which some are none, and some have no digest",
    input: global({
      AuthenticationSchemes: { Partners: { Type: "ApiKey", Keys: ["${KEY}", 7, { Name: "a" }, { Name: "b" }] } },
    }),
    says: [
      "The configuration cannot be used: 3 problems.",
      "",
      "GlobalConfiguration.AuthenticationSchemes.Partners.Keys[0] (wrong-type)",
      '  expected an object such as { "Name": …, "Sha256": … }, found "${KEY}"',
      "",
      "GlobalConfiguration.AuthenticationSchemes.Partners.Keys[1] (wrong-type)",
      '  expected an object such as { "Name": …, "Sha256": … }, found 7',
      "",
      "GlobalConfiguration.AuthenticationSchemes.Partners.Keys[2] (scheme-incomplete)",
      '  scheme "Partners": "Sha256" is missing: expected the SHA-256 of the key in hexadecimal digits (2 places: GlobalConfiguration.AuthenticationSchemes.Partners.Keys[2], GlobalConfiguration.AuthenticationSchemes.Partners.Keys[3])',
    ],
  },
  {
    reason: "a digest that stands twice, in whatever case",
    input: global({
      AuthenticationSchemes: {
        Partners: { Type: "ApiKey", Keys: ["a", "A"].map((digit) => ({ Name: digit, Sha256: digit.repeat(64) })) },
      },
    }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "GlobalConfiguration.AuthenticationSchemes.Partners.Keys[1].Sha256 (api-key-invalid)",
      '  scheme "Partners": Keys[0] has the same digest: a key belongs to one name',
    ],
  },
  {
    reason: "a key of pseudonyms that could be found out",
    input: global({ IdentityKey: "only 16 bytes, no" }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "GlobalConfiguration.IdentityKey (identity-key-weak)",
      "  the key is shorter than 32 bytes, and could be found out from a log: take 32 random bytes, such as openssl rand -base64 32 prints, and leave them in a variable",
    ],
  },
  {
    reason: "a Redis that is none",
    input: global({ Redis: { Url: "localhost:6379", Prefix: "shop{1}" } }),
    says: [
      "The configuration cannot be used: 2 problems.",
      "",
      "GlobalConfiguration.Redis.Prefix (redis-invalid)",
      "  expected a text without { and }, which say where a cluster keeps a key",
      "",
      "GlobalConfiguration.Redis.Url (redis-invalid)",
      "  expected a URL such as redis://localhost:6379 or rediss://:${REDIS_PASSWORD}@redis.example.org:6380",
    ],
  },
  {
    reason: "a Redis that is nowhere",
    input: global({ Redis: { Prefix: "shop" } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "GlobalConfiguration.Redis (redis-invalid)",
      "  expected a URL such as redis://localhost:6379 or rediss://:${REDIS_PASSWORD}@redis.example.org:6380",
    ],
  },
  {
    reason: "required claims of nobody",
    input: one({ RouteClaimsRequirement: { UserType: "registered" } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].RouteClaimsRequirement (lock-contradictory)",
      '  "RouteClaimsRequirement" reads claims, and nobody is asked for any: no provider is named here or for all routes: name one with "AuthenticationOptions": { "AuthenticationProviderKeys": [...] }',
    ],
  },
  {
    reason: "a key in the place of all keys",
    input: global({ AuthenticationSchemes: { Partners: { Type: "ApiKey", Keys: "geheim" } } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "GlobalConfiguration.AuthenticationSchemes.Partners.Keys (wrong-type)",
      '  expected a list of objects such as { "Name": …, "Sha256": … }, found a text',
    ],
  },
  {
    reason: "a rate limit that nobody can tell",
    input: one({ RateLimitOptions: { EnableRateLimiting: true, Period: "1s" } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].RateLimitOptions (limit-incomplete)",
      '  "Limit" is nowhere written, so nobody can tell how often clients may ask: write it, or "EnableRateLimiting": false',
    ],
  },
  {
    reason: "a rate limit that cannot be read",
    input: one({ RateLimitOptions: { Limit: "two", Period: "1s" } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].RateLimitOptions.Limit (wrong-type)",
      '  expected a whole number up to 2147483647, found "two"',
    ],
  },
  {
    reason: "a global rate limit that cannot be read, under an old name, and one of whose keys is missing",
    input: {
      ...one({ RateLimitOptions: { ClientWhitelist: ["a"] } }),
      GlobalConfiguration: { RateLimitOptions: { Period: ["1s"] } },
    },
    says: [
      "The configuration cannot be used: 2 problems.",
      "",
      "GlobalConfiguration.RateLimitOptions.Period (wrong-type)",
      "  expected text, found a list",
      "",
      "Routes[0].RateLimitOptions (limit-incomplete)",
      '  "Limit" is nowhere written, so nobody can tell how often clients may ask: write it, or "EnableRateLimiting": false',
    ],
  },
  {
    reason: "a health check whose path cannot be read",
    input: one({ HealthCheck: { Path: "health" } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].HealthCheck.Path (health-path-invalid)",
      '  expected a path with what it may be followed by, such as /health?deep, as it is asked: from / on, without blanks and #, found "health"',
    ],
  },
  {
    reason: "a rate limit of nothing in no time",
    input: global({ RateLimitOptions: { Period: "0s", Limit: -1 } }),
    says: [
      "The configuration cannot be used: 2 problems.",
      "",
      "GlobalConfiguration.RateLimitOptions.Limit (limit-invalid)",
      "  expected 1 or more requests, found -1",
      "",
      "GlobalConfiguration.RateLimitOptions.Period (limit-invalid)",
      '  expected a number above 0 with one of the units ms, s, m, h and d, such as "1.5m", found "0s"',
    ],
  },
  {
    reason: "a status and a wait in old spellings that cannot be",
    input: one({ RateLimitOptions: { Period: "1s", Limit: 1, HttpStatusCode: 302, PeriodTimespan: -1.5 } }),
    says: [
      "The configuration cannot be used: 2 problems.",
      "",
      "Routes[0].RateLimitOptions.PeriodTimespan (limit-invalid)",
      '  expected a number with one of the units ms, s, m, h and d, such as "10s", found "-1.5s"',
      "",
      "Routes[0].RateLimitOptions.HttpStatusCode (limit-invalid)",
      "  expected a status from 400 to 599, found 302",
    ],
  },
  {
    reason: "claims of nobody to headers",
    input: one({ AddHeadersToRequest: { CustomerId: "Claims[sub] > value" } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].AddHeadersToRequest (lock-contradictory)",
      '  "AddHeadersToRequest" reads claims, and nobody is asked for any: no provider is named here or for all routes: name one with "AuthenticationOptions": { "AuthenticationProviderKeys": [...] }',
    ],
  },
  {
    reason: "claims of nobody to claims",
    input: one({ AddClaimsToRequest: { UserId: "Claims[sub] > value" } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].AddClaimsToRequest (lock-contradictory)",
      '  "AddClaimsToRequest" reads claims, and nobody is asked for any: no provider is named here or for all routes: name one with "AuthenticationOptions": { "AuthenticationProviderKeys": [...] }',
    ],
  },
  {
    reason: "claims of nobody to query",
    input: one({ AddQueriesToRequest: { LocationId: "Claims[loc] > value" } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].AddQueriesToRequest (lock-contradictory)",
      '  "AddQueriesToRequest" reads claims, and nobody is asked for any: no provider is named here or for all routes: name one with "AuthenticationOptions": { "AuthenticationProviderKeys": [...] }',
    ],
  },
  {
    reason: "claims of nobody to path",
    input: one({ ChangeDownstreamPathTemplate: { id: "Claims[sub] > value" } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].ChangeDownstreamPathTemplate (lock-contradictory)",
      '  "ChangeDownstreamPathTemplate" reads claims, and nobody is asked for any: no provider is named here or for all routes: name one with "AuthenticationOptions": { "AuthenticationProviderKeys": [...] }',
    ],
  },
  {
    reason: "an empty name of a delegating handler",
    input: one({ DelegatingHandlers: ["signRequests", ""] }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].DelegatingHandlers[1] (lock-value-empty)",
      '  this is "", within "DelegatingHandlers", which guards something: fill it, or remove it',
    ],
  },
  {
    reason: "a blank address",
    input: one({ SecurityOptions: { IPAllowedList: [" "] } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].SecurityOptions.IPAllowedList[0] (lock-value-empty)",
      '  this is " ", within "SecurityOptions", which guards something: fill it, or remove it',
    ],
  },
  {
    reason: "a blank name of a scheme, which would leave the route open",
    input: one({ AuthenticationOptions: { AuthenticationProviderKey: "  " } }),
    says: [
      "The configuration cannot be used: 1 problem.",
      "",
      "Routes[0].AuthenticationOptions.AuthenticationProviderKey (lock-value-empty)",
      '  this is "  ", within "AuthenticationOptions", which guards something: fill it, or remove it',
    ],
  },
];

describe("A configuration is refused for what would get lost", () => {
  test.each(rows)("$reason", ({ input, says }) => {
    expect(refusalOf(input).message.split("\n")).toEqual(says);
  });
});
