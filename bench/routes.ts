/**
 * How long it takes to find a route, and to build the index: `node bench/routes.ts`.
 * Ends with exit code 1 when a look-up among 10,000 routes or the building of their index is over its bound.
 */
import {
  type MatchTarget,
  createRouteIndex,
  type RouteDefinition,
  type RouteIndex,
} from "../src/routing/index/route-index.ts";
import { parseUpstreamTemplate } from "../src/templates/upstream-template.ts";

type RouteOptions = Readonly<{ host?: string; methods?: readonly string[] }>;
type MakeRoute = (index: number) => RouteDefinition<number>;
type MakeTarget = (index: number) => MatchTarget;
type Arrangement = Readonly<{ name: string; route: MakeRoute; target: MakeTarget; bound: number }>;
type Row = Readonly<{ name: string; routes: number; position: string; median: number; bound: number }>;

const lookups = 100_000;
const rounds = 5;
const batch = 100;
const most = 10_000;
const buildBound = 250;
/** Microseconds: the promise for ordinary configurations, and what the worst of the others may take. */
const ordinary = 1;
const adversarial = 10;

function route(
  value: number,
  template: string,
  { host, methods = ["GET"] }: RouteOptions = {},
): RouteDefinition<number> {
  return { value, template: parseUpstreamTemplate(template), methods, host, caseSensitive: false, priority: 1 };
}

function target(path: string, query?: string, host = "localhost:8080"): MatchTarget {
  return { method: "GET", path, query, host, headers: {} };
}

/** Six segments, each literal or placeholder as the bits of the index say: 64 shapes. */
function shaped(index: number, literal: (bit: number) => string): string {
  return Array.from({ length: 6 }, (_, bit) => ((index >> bit) & 1 ? `/{p${bit}}` : `/${literal(bit)}`)).join("");
}

function shapedApart(index: number): string {
  return shaped(index, (bit) => `s${bit}-${index >> 6}`);
}

function shapedAlike(index: number): string {
  return `${shaped(index, () => "same")}/leaf-${index >> 6}`;
}

const arrangements: readonly Arrangement[] = [
  {
    name: "a service each: /service-17/orders/{id}",
    route: (index) => route(index, `/service-${index}/orders/{id}`),
    target: (index) => target(`/service-${index}/orders/4711`),
    bound: ordinary,
  },
  {
    name: "literal: /api/v1/customers/resource-17",
    route: (index) => route(index, `/api/v1/customers/resource-${index}`),
    target: (index) => target(`/api/v1/customers/resource-${index}`),
    bound: ordinary,
  },
  {
    name: "placeholders first: /{tenant}/{region}/leaf-17/{id}",
    route: (index) => route(index, `/{tenant}/{region}/leaf-${index}/{id}`),
    target: (index) => target(`/acme/north/leaf-${index}/4711`),
    bound: ordinary,
  },
  {
    name: "beginnings of segments: /api/item-17-{id}",
    route: (index) => route(index, `/api/item-${index}-{id}`),
    target: (index) => target(`/api/item-${index}-4711`),
    bound: ordinary,
  },
  {
    name: "middles of segments: /api/{x}-key17-{y}/end",
    route: (index) => route(index, `/api/{x}-key${index}-{y}/end`),
    target: (index) => target(`/api/abc-key${index}-def/end`),
    bound: adversarial,
  },
  {
    name: "64 shapes of six segments",
    route: (index) => route(index, shapedApart(index)),
    target: (index) => target(shapedApart(index).replaceAll(/[{}]/g, "")),
    bound: adversarial,
  },
  {
    name: "64 shapes of which all fit until the end",
    route: (index) => route(index, shapedAlike(index)),
    target: (index) => target(shapedAlike(index & ~63)),
    bound: adversarial,
  },
  {
    name: "one path, a host each",
    route: (index) => route(index, "/orders/{id}", { host: `shop-${index}.example` }),
    target: (index) => target("/orders/4711", undefined, `shop-${index}.example:8080`),
    bound: ordinary,
  },
  {
    name: "one path, a query value each",
    route: (index) => route(index, `/orders?kind=k${index}`),
    target: (index) => target("/orders", `page=2&kind=k${index}`),
    bound: adversarial,
  },
  {
    name: "all match: the first wins",
    route: (index) => route(index, "/orders/{id}", { methods: [] }),
    target: () => target("/orders/4711"),
    bound: ordinary,
  },
];

function positions(count: number): Readonly<Record<string, number>> {
  return { first: 0, middle: count >> 1, last: count - 1, missing: count + 64 };
}

/** The lowest of the medians of several rounds: whatever else the machine does only ever adds to them. */
function measureMedian(find: () => unknown): number {
  return Math.min(...Array.from({ length: rounds }, () => measureRound(find)));
}

/** The median over batches of the mean in a batch: a clock reading costs as much as a look-up. */
function measureRound(find: () => unknown): number {
  const means: number[] = [];
  for (let done = 0; done < lookups / rounds; done += batch) {
    const start = process.hrtime.bigint();
    for (let index = 0; index < batch; index += 1) find();
    means.push(Number(process.hrtime.bigint() - start) / batch / 1000);
  }
  return means.sort((one, other) => one - other)[means.length >> 1]!;
}

/** Builds an index a few times; what counts is the fastest. */
function buildIndex(makeRoute: MakeRoute, routes: number): { index: RouteIndex<number>; built: number } {
  let built = Infinity;
  let index: RouteIndex<number> | undefined;
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    index = createRouteIndex(Array.from({ length: routes }, (_, position) => makeRoute(position)));
    built = Math.min(built, performance.now() - start);
  }
  return { index: index!, built };
}

function measureArrangement({ name, route: makeRoute, target: makeTarget, bound }: Arrangement): Row[] {
  return [1, 1000, most].flatMap((routes) => {
    const { index, built } = buildIndex(makeRoute, routes);
    const found = Object.entries(positions(routes)).map(([position, at]) => {
      const request = makeTarget(at);
      return { name, routes, position, median: measureMedian(() => index.find(request)), bound };
    });
    const building = { name, routes, position: "build (ms)", median: built, bound: buildBound };
    return routes === most ? [...found, building] : found;
  });
}

const rows = arrangements.flatMap(measureArrangement);
const tooSlow = rows.filter(({ median, bound }) => median > bound);

for (const { name } of arrangements) {
  console.log(`\n${name}`);
  for (const routes of [1, 1000, most]) {
    const cells = rows.filter((row) => row.name === name && row.routes === routes);
    const text = cells.map(({ position, median }) => `${position} ${median.toFixed(2)}`).join("   ");
    console.log(`${String(routes).padStart(8)} routes   ${text}`);
  }
}
console.log(
  `\nMicroseconds a look-up, ${lookups} each: the best median of ${rounds} rounds; building the index of ${most} routes in milliseconds.`,
);
for (const { name, routes, position, median, bound } of tooSlow) {
  console.error(`Too slow: ${name}, ${routes} routes, ${position}: ${median.toFixed(2)}, bound ${bound}.`);
}
process.exitCode = tooSlow.length === 0 ? 0 : 1;
