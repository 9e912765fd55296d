import type { RouteEntry } from "./rule.ts";

const catchAll = /^\/\{\w+\}$/;
const highestPriority = 2 ** 31 - 1;

/** The routes with a template, in the order in which they are tried among those for the same hosts. */
export function inMatchingOrder(routes: readonly RouteEntry[]): readonly RouteEntry[] {
  const matching = routes.filter(({ config }) => config.UpstreamPathTemplate !== undefined);
  return matching.sort((one, other) => priorityOf(other) - priorityOf(one) || one.index - other.index);
}

/** The priority that a route really has. */
export function priorityOf({ config }: RouteEntry): number {
  return takesEverything(config.UpstreamPathTemplate!) ? 0 : (config.Priority ?? 1);
}

/** How a route comes before the one that takes its requests. */
export function waysBefore(route: RouteEntry, taker: RouteEntry): string {
  const [own, takers] = [priorityOf(route), priorityOf(taker)];
  const byOrder = own === takers ? ["put it before that one"] : [];
  const isFixed = takesEverything(route.config.UpstreamPathTemplate!);
  const byPriority = isFixed || takers === highestPriority ? [] : [`give it "Priority": ${takers + 1}`];
  const ways = [...byOrder, ...byPriority];
  return ways.length === 0 ? "lower the Priority of that one" : ways.join(", or ");
}

/** `/{x}` always has priority 0. */
function takesEverything(template: string): boolean {
  return catchAll.test(template);
}
