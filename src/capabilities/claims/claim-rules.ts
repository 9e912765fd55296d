import type { ConfigRule, RouteRule } from "../../config/rules/rule.ts";
import { plainName } from "../../headers/header-aliases.ts";
import { findHeaderNameFault } from "../../headers/header-name.ts";
import { hopByHopHeaders } from "../../headers/hop-by-hop.ts";
import { quote } from "../../json/json-node.ts";
import { locate } from "../../json/place.ts";
import { placeholderNames } from "../../templates/template.ts";
import { parseValue } from "./required-values.ts";

/** What a requirement compares is a text, or a placeholder that requests of the route have. */
export const checkRequirement: RouteRule = function checkRequirement({ config, place, templates }, report) {
  if (config.RouteClaimsRequirement === undefined) return;
  const known = new Set(templates.upstream.flatMap(({ names }) => names));
  for (const [claim, texts] of Object.entries(config.RouteClaimsRequirement)) {
    const at = locate(place, ["RouteClaimsRequirement", claim]);
    for (const text of texts) {
      const value = parseValue(text);
      if (typeof value === "object" && !known.has(value.placeholder)) {
        const found = `${quote(text)} is no placeholder of the upstream templates, so that nobody would come in`;
        report("placeholder-missing", at, `${found}: add it there or correct it here`);
      } else if (typeof value === "string" && /[{}]/.test(value)) {
        const expected = 'expected a text without braces, or one placeholder alone, such as "{tenant}"';
        report("requirement-invalid", at, `${expected}, found ${quote(text)}`);
      }
    }
  }
};

const namedByUsers = ["RouteClaimsRequirement", "AddClaimsToRequest", "AddQueriesToRequest"] as const;

/** What a claim travels as has a name. */
export const checkClaimNames: RouteRule = function checkClaimNames({ config, place }, report) {
  for (const key of namedByUsers) {
    if (config[key] === undefined || !Object.hasOwn(config[key], "")) continue;
    report(
      "lock-value-empty",
      locate(place, [key, ""]),
      `expected a name, found "", within "${key}": fill it, or remove it`,
    );
  }
};

/** What claims fill is there to be filled. */
export const checkFilledByClaims: RouteRule = function checkFilledByClaims({ config, place }, report) {
  const { ChangeDownstreamPathTemplate: filled, DownstreamPathTemplate: template } = config;
  if (filled === undefined || template === undefined) return;
  const known = placeholderNames(template);
  for (const name of Object.keys(filled).filter((other) => !known.includes(other))) {
    const found = `${quote(`{${name}}`)} is not in the downstream template ${quote(template)}`;
    const message = `${found}: add it there, or correct it here (names stand without braces)`;
    report("placeholder-missing", locate(place, ["ChangeDownstreamPathTemplate", name]), message);
  }
};

/** Names of headers that claims may not have: they speak of one connection, of framing, or of who asked for what. */
const never: ReadonlySet<string> = new Set([...hopByHopHeaders, "content-length", "host", "forwarded"]);

/** What claims are sent as is a header, and one that is not the gateway's own. */
export const checkClaimHeaders: ConfigRule = function* checkClaimHeaders({ routes, routesAskingFor, global, report }) {
  let requestIds: ReadonlySet<string> | undefined;
  for (const { config, place } of routesAskingFor("AddHeadersToRequest")) {
    yield;
    for (const name of Object.keys(config.AddHeadersToRequest ?? {})) {
      requestIds ??= requestIdNames([global.config, ...routes.map((route) => route.config)]);
      const plain = plainName(name.toLowerCase());
      const at = locate(place, ["AddHeadersToRequest", name]);
      if (findHeaderNameFault(name) === "invalid") {
        report("header-name-invalid", at, `expected the name of a header, such as X-User, found ${quote(name)}`);
      } else if (never.has(plain) || plain.startsWith("x-forwarded-") || requestIds.has(plain)) {
        const expected =
          "expected a name that is neither hop-by-hop, framing, Host, Forwarded, X-Forwarded-* nor a request id";
        report("header-name-reserved", at, `${expected}, found ${quote(name)}`);
      }
    }
  }
};

function requestIdNames(configs: readonly Readonly<{ RequestIdKey?: string | undefined }>[]): ReadonlySet<string> {
  return new Set(
    configs.flatMap(({ RequestIdKey: name }) => (name === undefined ? [] : [plainName(name.toLowerCase())])),
  );
}
