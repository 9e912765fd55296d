import type { ConfigRule } from "../../config/rules/rule.ts";
import { locate } from "../../json/place.ts";
import { effectiveSection } from "../../schema/effective-section.ts";

const path = ["HttpHandlerOptions", "UseCookieContainer"] as const;

/** Refuses a jar of cookies, which would hand one client's session to all others. */
export const refuseCookieJars: ConfigRule = function* refuseCookieJars({ routesAskingFor, global, report }) {
  const shared = global.config.HttpHandlerOptions;
  let isGlobal = false;
  for (const { config, place } of routesAskingFor("HttpHandlerOptions")) {
    yield;
    const own = config.HttpHandlerOptions;
    if (effectiveSection(own, shared, config.Key)?.UseCookieContainer !== true) continue;
    if (own?.UseCookieContainer === true) report("cookie-jar", locate(place, path), message);
    else isGlobal = true;
  }
  if (isGlobal) report("cookie-jar", locate(global.place, path), message);
};

const message =
  "the jar would be one for all clients: what the downstream sets for one of them, such as a session, would be sent with the " +
  "requests of all others. Write false: cookies of clients and of the downstream pass as they are";
