import { isEmptyNode } from "../../json/json-node.ts";
import type { Report } from "../problems/problem-list.ts";
import { findMember, locate, type Place, placeWithin } from "../../json/place.ts";
import type { ConfigRule, RouteRule } from "./rule.ts";

const restrictions = ["ClientParameters", "AllowedOrigins", "UpstreamHttpMethod"];

/** Warns of an empty list of a route, which counts as absent and so forbids less than it seems to. */
export const warnOfEmptyLists: RouteRule = function warnOfEmptyLists({ place }, report) {
  reportEmptyLists(place, report);
};

/** The same for the global part and its provider. */
export const warnOfEmptyGlobalLists: ConfigRule = function warnOfEmptyGlobalLists({ global, report }) {
  reportEmptyLists(global.place, report);
  const provider = findMember(global.place, "ServiceDiscoveryProvider");
  if (provider !== undefined) reportEmptyLists(provider, report);
  for (const name of Object.keys(global.config.Providers ?? {})) {
    reportEmptyLists(locate(global.place, ["Providers", name]), report);
  }
};

function reportEmptyLists(place: Place, report: Report): void {
  for (const key of restrictions) {
    const member = findMember(place, key);
    if (member?.node.kind !== "array" || !member.node.items.every(({ kind }) => kind === "null")) continue;
    // Tools write an empty list of methods for what nobody set.
    if (member.node.items.length === 0 && key === "UpstreamHttpMethod") continue;
    const reason = "an empty list counts as absent, so it forbids nothing";
    report("list-empty", member, `${reason}: name at least one, or remove ${key}`);
  }
}

/** Warns of a header that is named, and yet may hold anything or be missing. */
export const warnOfEmptyHeaders: RouteRule = function warnOfEmptyHeaders({ place }, report) {
  const templates = findMember(place, "UpstreamHeaderTemplates");
  if (templates?.node.kind !== "object") return;
  for (const { name, node } of templates.node.members) {
    if (!isEmptyNode(node) || "isEmptied" in node) continue;
    const reason = "an empty template counts as absent, so it asks for no header";
    report("list-empty", placeWithin(templates, name, node), `${reason}: write one, or remove it`);
  }
};
