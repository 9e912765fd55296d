import { inOrderOfPriority, priorityOf, takesEveryPath } from "../../routing/matching-order.ts";
import { isDynamicRoute } from "../dynamic-routes.ts";
import type { RouteEntry } from "./rule.ts";

const highestPriority = 2 ** 31 - 1;

/** The routes with a template, in the order in which they are tried among those for the same hosts. */
export function routesInOrder(routes: readonly RouteEntry[]): readonly RouteEntry[] {
  const matching = routes.filter(({ config }) => config.UpstreamPathTemplate !== undefined);
  return inOrderOfPriority(matching, priorityOfRoute);
}

/** The priority that a route really has. */
export function priorityOfRoute({ config }: RouteEntry): number {
  return priorityOf(config.UpstreamPathTemplate!, config.Priority);
}

/** How a route comes before the one that takes its requests. */
export function waysBefore(route: RouteEntry, taker: RouteEntry): string {
  if (isDynamicRoute(route.config)) return "services stand behind all routes: let that one take less";
  const [own, takers] = [priorityOfRoute(route), priorityOfRoute(taker)];
  const byOrder = own === takers ? ["put it before that one"] : [];
  const isFixed = takesEveryPath(route.config.UpstreamPathTemplate!);
  const byPriority = isFixed || takers === highestPriority ? [] : [`give it "Priority": ${takers + 1}`];
  const ways = [...byOrder, ...byPriority];
  return ways.length === 0 ? "lower the Priority of that one" : ways.join(", or ");
}
