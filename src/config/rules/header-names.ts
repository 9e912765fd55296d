import { findHeaderNameFault, type HeaderNameFault } from "../../headers/header-name.ts";
import { quote } from "../../json/json-node.ts";
import { locate, type Place } from "../../json/place.ts";
import type { ConfigRule, RouteRule, Rulebook } from "./rule.ts";

const faultCodes = { invalid: "header-name-invalid", reserved: "header-name-reserved" } as const;

const faultMessages: Readonly<Record<HeaderNameFault, string>> = {
  invalid: "expected the name of a header, such as X-Request-Id",
  reserved: "expected a name that is neither hop-by-hop, framing, Host, Cookie nor Authorization",
};

/** Names that become headers are names of headers. */
export const checkHeaderNames: RouteRule = function checkHeaderNames({ config, place }, report) {
  if (config.RequestIdKey !== undefined) checkName(config.RequestIdKey, () => locate(place, ["RequestIdKey"]), report);
  if (config.UpstreamHeaderTemplates === undefined) return;
  for (const name of Object.keys(config.UpstreamHeaderTemplates)) {
    checkName(name, () => locate(place, ["UpstreamHeaderTemplates", name]), report);
  }
};

/** The global `RequestIdKey` is the name of a header. */
export const checkGlobalRequestId: ConfigRule = function checkGlobalRequestId({ global, report }) {
  const name = global.config.RequestIdKey;
  if (name !== undefined) checkName(name, () => locate(global.place, ["RequestIdKey"]), report);
};

/** The `Header` of a scheme is the name of a header that clients may set. */
export const checkSchemeHeaders: ConfigRule = function checkSchemeHeaders({ global: { config, place }, report }) {
  for (const [name, { Header }] of Object.entries(config.AuthenticationSchemes ?? {})) {
    if (Header !== undefined) checkName(Header, () => locate(place, ["AuthenticationSchemes", name, "Header"]), report);
  }
};

function checkName(name: string, place: () => Place, report: Rulebook["report"]): void {
  const fault = findHeaderNameFault(name);
  if (fault !== undefined) report(faultCodes[fault], place(), `${faultMessages[fault]}, found ${quote(name)}`);
}
