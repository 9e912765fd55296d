import type { ConfigRule } from "../../config/rules/rule.ts";
import { locate } from "../../json/place.ts";
import { hasLists, listKinds, sharedSection } from "./effective-lists.ts";

/** A route's lists replace all of the global ones, also those of a kind that the route does not have. */
export const warnOfReplacedLists: ConfigRule = function* warnOfReplacedLists({ routesAskingFor, global, report }) {
  for (const { config, place } of routesAskingFor("SecurityOptions")) {
    yield;
    const { SecurityOptions: own, Key } = config;
    if (own === undefined || !hasLists(own)) continue;
    const shared = sharedSection(global.config, Key);
    const lost = listKinds.find((kind) => (shared[kind] ?? []).length > 0 && (own[kind] ?? []).length === 0);
    if (lost === undefined) continue;
    const found = `the "${lost}" of "GlobalConfiguration" does not hold here, as the route has lists of its own`;
    report("address-lists-replaced", locate(place, ["SecurityOptions"]), `${found}: repeat it here if it is to hold`);
  }
};
