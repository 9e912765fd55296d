import { expect, test } from "@jest/globals";
import { ConfigError, parseConfig } from "../../src/index.ts";
import { sampled } from "../fuzz/bounds.ts";

/** A secret of its own for each place: parts of it are known again whatever slips into it. */
function secretOf(place: string): string {
  return `Zq${place}wXv${place}kPtB`;
}

const places = "ABCDEFGHIJKLM";
const [header, bearer, metadata, member, user, variable, parameter, ...others] = Array.from(places, secretOf);
const [redis, provider, apiKey, secret, clientSecret, identity] = others;

// Each line has a fault that is told, so that all of them are shown.
const written = `{
  "Routes": [{
    "UpstreamPathTemplate": "/orders/{id}",
    "Timeout": "y", "UpstreamHeaderTransform": { "X-Api-Key": "${header}" },
    "Port": "y", "DownstreamHeaderTransform": { "Authorization": "Bearer ${bearer}" },
    "Kind": "y", "Metadata": { "api_token": "${metadata}" },
    "Metadatb": { "note": "{\\"password\\":\\"${member}\\"}" },
    "Metadatc": { "url": "http://user:${user}@host/" },
    "Metadatd": { "a": "\${API_TOKEN:-${variable}}" },
    "DownstreamPathTemplate": "/{id/?apikey=${parameter}&x=1"
  }],
  "GlobalConfiguration": {
    "Redis": { "Url": "redis://u:${redis}@h:6379", "Prefiks": "p" },
    "ServiceDiscoveryProvider": { "Typ": "Consul", "Token": "${provider}" },
    "AuthenticationSchemes": {
      "K": { "Typ": "ApiKey", "Keys": [{ "Name": "acme", "Key": "${apiKey}" }] },
      "J": { "Typ": "Jwt", "Secret": "${secret}" },
      "I": { "Typ": "Introspection", "ClientSecret": "${clientSecret}" }
    },
    "Timeut": "y", "IdentityKey": "${identity}"
  }
}`;

const signs = Array.from("\"'`{}[](),;:.\\\n/#&=@?|<>*$!%~+^");

/** All that is told of a configuration: its message, its problems and what is logged. */
function toldOf(text: string): string {
  const logged: string[] = [];
  const log = (problem: object, line: string): void => void logged.push(line, JSON.stringify(problem));
  try {
    parseConfig(text, { logger: { error: log, warn: log, info: log, debug: log }, environment: {} });
  } catch (error) {
    if (error instanceof ConfigError) return [error.message, JSON.stringify(error.problems), ...logged].join("\n");
    throw error;
  }
  throw new Error("The configuration was accepted.");
}

const shownPart = /Zq([A-M])wXv|wXv([A-M])kPtB/;

// What was made of a line break stands in a line without the name before it.
const outOfReach = "\n";
// These read as something else: words of a name, a variable with text behind it, and an escape that JSON does not know.
const meansOther = ["X-Api-K.y", "${API_TOKEN}-", "${API_TOKEN\\-", "${API_TOKEN:\\"];

test("No single sign that is left out or mistyped shows a secret", () => {
  expect(toldOf(written)).not.toMatch(shownPart);
  const slips = Array.from(written).flatMap((_sign, at) => ["", ...signs].map((sign) => ({ at, sign })));
  const leaks = sampled(slips, 101)
    .filter(({ sign }) => sign !== outOfReach)
    .map(({ at, sign }) => written.slice(0, at) + sign + written.slice(at + 1))
    .filter((text) => !meansOther.some((part) => text.includes(part)))
    .flatMap((text) => shownPart.exec(toldOf(text))?.[0] ?? []);
  expect(leaks).toEqual([]);
}, 900_000);
