import type { ConfigRule } from "../../config/rules/rule.ts";
import { goesToNamingService } from "../../discovery/provider-of.ts";
import { locate } from "../../json/place.ts";

/** The naming service tries again by itself, for as long as it waits: each of our tries would be many of its own. */
export const checkRetries: ConfigRule = function* checkRetries({ routesAskingFor, global, report }) {
  for (const { config, place } of routesAskingFor("Retry")) {
    yield;
    if (config.Retry === undefined || !goesToNamingService(config, global.config)) continue;
    const reason =
      "the naming service tries again by itself until its time is over, and each retry would be many of those";
    report("retry-misplaced", locate(place, ["Retry"]), `${reason}: remove it`);
  }
};
