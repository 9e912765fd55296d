import { defineRoute } from "../compiling/index-routes.ts";
import { anySpelling, readService, routeOfUnlisted, withoutRouteKeys } from "../compiling/unlisted-service.ts";
import { allowsAnyService, isDynamicRoute } from "../config/dynamic-routes.ts";
import type { GatewayConfig } from "../config/gateway-config.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import { registryOf } from "../discovery/provider-of.ts";
import { labelOf, type Service } from "../discovery/service.ts";
import { createRouteIndex } from "../routing/index/route-index.ts";
import { matchRequest } from "../routing/match-request.ts";
import { parseUpstreamTemplate } from "../templates/upstream-template.ts";
import { compileTaking, explainTaken, type ExplainSurroundings, type Taken } from "./explain-taken.ts";
import type { ExplainableRequest, Explanation } from "./explanation.ts";
import { pretendRequest } from "./pretend-request.ts";

type Asked = ExplainSurroundings & Readonly<{ request: ExplainableRequest }>;

/** What is told of a service that a client names, and no route does. */
type TakenUnlisted = Partial<Taken> & Pick<Explanation, "unlisted"> & Partial<Pick<Explanation, "route">>;

/** Tells whether a service that no route names is reached by its name; nothing where clients name no services. */
export function explainUnlisted(config: GatewayConfig, { global, ...asked }: Asked): TakenUnlisted {
  const req = pretendRequest(asked.request);
  const service = readService(req.url ?? "", global);
  if (service === undefined || registryOf({ ServiceName: service.name }, global) === undefined) return {};
  const isOpen = allowsAnyService(config.routes, global);
  if (!isOpen && !config.routes.some(isDynamicRoute)) return {};
  const name = labelOf(service);
  const listed = config.routes.find((route) => isDynamicRoute(route) && isSpeltOtherwise(route, service, global));
  const spelling = listed && `${JSON.stringify(listed.ServiceName)}, which only the spelling of its entry reaches`;
  if (!isOpen) {
    const found = `No entry of DynamicRoutes is for the service ${JSON.stringify(name)}`;
    const reason = spelling ?? 'the provider does not say "AllowAnyService": true';
    const message = spelling === undefined ? `${found}, and ${reason}` : `${found}, but one is for ${reason}`;
    return { unlisted: { service: name, isOpen, message } };
  }
  const route = routeOfUnlisted(service);
  const found = matchRequest(createRouteIndex([defineRoute(route, anySpelling, route)]), req);
  if (found === undefined) return {};
  const all = { ...asked, global: withoutRouteKeys(global) };
  const taking = compileTaking(route, parseUpstreamTemplate(route.UpstreamPathTemplate), all);
  const known = spelling === undefined ? "" : `, or takes it for ${spelling}`;
  const message = `The registry is asked for the service ${JSON.stringify(name)}; where it knows none${known}, no route takes the request`;
  return {
    ...explainTaken(taking, found, all),
    route: `dynamic-${name}`,
    unlisted: { service: name, isOpen, message },
  };
}

/** Registries know one service by several spellings, and DNS its parts by names below it: it is reached by the one that is written. */
function isSpeltOtherwise(route: RouteConfig, service: Service, global: GlobalConfig): boolean {
  const written = route.ServiceName!.trim().toLowerCase();
  if (registryOf(route, global)?.Type !== "Dns") return written === service.name.toLowerCase();
  const label = labelOf({ name: written, namespace: route.ServiceNamespace?.trim().toLowerCase() });
  return `.${labelOf(service).toLowerCase()}`.endsWith(`.${label}`);
}
