import { registryOf } from "../../discovery/provider-of.ts";
import { quote } from "../../json/json-node.ts";
import { locate } from "../../json/place.ts";
import { allowsAnyService, isDynamicRoute } from "../dynamic-routes.ts";
import type { ConfigRule } from "../rules/rule.ts";
import { fixedServiceName } from "../rules/target-texts.ts";
import { findDemands } from "./demands-on-clients.ts";

/** Warns of services that a written route guards, and that clients may also name in the path, as they may any service. */
export const warnOfNamedServices: ConfigRule = function* warnOfNamedServices({ routes, global, report }) {
  const [entries, written] = [routes.filter(isEntry), routes.filter((route) => !isEntry(route))];
  const configs = routes.map(({ config }) => config);
  if (!allowsAnyService(configs, global.config)) return;
  const listed = new Set(entries.map((entry) => fixedServiceName(entry)?.toLowerCase()));
  const everywhere = findDemands({}, global.config);
  for (const route of written) {
    yield;
    const service = fixedServiceName(route);
    if (service === undefined || listed.has(service.toLowerCase())) continue;
    if (registryOf(route.config, global.config) === undefined) continue;
    const lacking = findDemands(route.config, global.config).find((demand) => !everywhere.includes(demand));
    if (lacking === undefined) continue;
    const reason = `"AllowAnyService" lets clients name the service ${quote(service)} in the path, without the ${lacking} of ${route.name}`;
    const remedy = 'list it in "DynamicRoutes" with the same demands';
    report("lock-bypassed", locate(route.place, ["ServiceName"]), `${reason}: ${remedy}`);
  }
};

function isEntry({ config }: Parameters<typeof fixedServiceName>[0]): boolean {
  return isDynamicRoute(config);
}
