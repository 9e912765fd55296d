import type { ConfigRule } from "../../config/rules/rule.ts";
import { findTransformNameFault } from "../../headers/header-name.ts";
import { requirementOf } from "../../identity/required-schemes.ts";
import { quote } from "../../json/json-node.ts";
import { findMember, locate, type Place } from "../../json/place.ts";
import { effectiveCacheOptions } from "./effective-cache.ts";

const section = "CacheOptions";

/** What caches must be able to hold: what is switched off is not looked at. */
export const checkCaches: ConfigRule = function* checkCaches({ routesAskingFor, global, report }) {
  let isGlobalReported = false;
  for (const { config, place } of routesAskingFor("CacheOptions")) {
    yield;
    const options = effectiveCacheOptions(config, global.config);
    if (options === undefined) continue;
    const { Header: header, By: by } = options;
    if (header !== undefined && findTransformNameFault(header) !== undefined) {
      const isOwn = config.CacheOptions?.Header === header;
      if (isOwn || !isGlobalReported) reportHeader(header, isOwn ? place : global.place);
      isGlobalReported ||= !isOwn;
    }
    if (by === "Identity" && requirementOf(config, global.config) === undefined) {
      const found = '"By": "Identity" keeps answers for those who are recognised, and nobody is asked';
      report("cache-invalid", locate(place, [section]), `${found}: name a scheme in "AuthenticationOptions"`);
    }
  }

  function reportHeader(header: string, place: Place): void {
    const written = locate(place, [section]);
    report(
      "cache-invalid",
      findMember(written, "Header") ?? written,
      `expected the name of a header, found ${quote(header)}`,
    );
  }
};
