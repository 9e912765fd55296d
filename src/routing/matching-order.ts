/** The parts of a route that decide when it is tried. */
type Placed = Readonly<{
  template: Readonly<{ text: string }>;
  host: string | undefined;
  priority: number | undefined;
}>;

const everyPath = /^\/\{\w+\}$/;
const usualPriority = 1;

/** Whether a template matches the path of every request. */
export function takesEveryPath(template: string): boolean {
  return everyPath.test(template);
}

/** The priority that counts: a route whose template takes every path comes last, whatever is configured for it. */
export function priorityOf(template: string, configured: number | undefined): number {
  return takesEveryPath(template) ? 0 : (configured ?? usualPriority);
}

/** Routes in the order in which those for the same hosts are tried: of the same priority the earlier one comes first. */
export function inOrderOfPriority<Route>(routes: readonly Route[], priority: (route: Route) => number): Route[] {
  return routes
    .map((route) => ({ route, priority: priority(route) }))
    .sort((one, other) => other.priority - one.priority)
    .map(({ route }) => route);
}

/** All routes in the order in which they are tried: routes for a host come before routes for any host. */
export function inMatchingOrder<Route extends Placed>(routes: readonly Route[]): Route[] {
  const ordered = inOrderOfPriority(routes, ({ template, priority }) => priorityOf(template.text, priority));
  return [...ordered.filter(({ host }) => host !== undefined), ...ordered.filter(({ host }) => host === undefined)];
}
