import { describe, expect, test } from "@jest/globals";
import { createRouteIndex, type MatchTarget, type RouteIndex } from "../../src/routing/index/route-index.ts";
import { timesUsual } from "../helpers/compare-costs.ts";
import { processorTimeOf } from "../helpers/processor-time.ts";
import { defineRoutes, type PlainRoute } from "./linear-scan.ts";

const few = 64;
const many = 6400;

/** Six segments, of which those are placeholders that the bits of the index say: 64 shapes. */
function shaped(index: number): string {
  const bits = Array.from({ length: 6 }, (_, bit) => ((index >> bit) & 1 ? `{p${bit}}` : "same"));
  return `/${bits.join("/")}/leaf-${index >> 6}`;
}

function indexOf(route: (index: number) => PlainRoute, count: number): RouteIndex<number> {
  return createRouteIndex(defineRoutes(Array.from({ length: count }, (_, index) => route(index))));
}

function target(path: string, query?: string, host?: string): MatchTarget {
  return { method: "GET", path, query, host, headers: {} };
}

describe("the cost of a look-up does not grow with the number of routes", () => {
  test.each<[name: string, route: (index: number) => PlainRoute, request: (index: number) => MatchTarget]>([
    ["other names", (index) => ({ path: `/r${index}/{x}` }), (index) => target(`/r${index}/1`)],
    ["the same beginning", (index) => ({ path: `/a/b/c/r${index}` }), (index) => target(`/a/b/c/r${index}`)],
    ["placeholders first", (index) => ({ path: `/{x}/{y}/r${index}/z` }), (index) => target(`/a/b/r${index}/z`)],
    ["literals before a placeholder", (index) => ({ path: `/a-${index}-{x}/z` }), (index) => target(`/a-${index}-1/z`)],
    ["literals after a placeholder", (index) => ({ path: `/{x}-${index}` }), (index) => target(`/a-${index}`)],
    ["literals between placeholders", (index) => ({ path: `/{x}-${index}-{y}` }), (index) => target(`/a-${index}-b`)],
    ["64 shapes that all fit", (index) => ({ path: shaped(index & 63) }), (index) => target(shaped(index & 63))],
    ["hosts", (index) => ({ path: "/a", host: `h${index}` }), (index) => target("/a", undefined, `h${index}`)],
    ["query values", (index) => ({ path: "/a", query: `k=${index}` }), (index) => target("/a", `k=${index}`)],
    ["priorities", (index) => ({ path: "/{x}/a", priority: index % 9 }), () => target("/b/a")],
  ])("%s", (_name, route, request) => {
    const small = indexOf(route, few);
    const large = indexOf(route, many);
    for (const [inSmall, inLarge] of [
      [0, 0],
      [few >> 1, many >> 1],
      [few - 1, many - 1],
      [many + 1, many + 1],
    ] as const) {
      expect(large.countSteps(request(inLarge))).toBeLessThanOrEqual(small.countSteps(request(inSmall)) + 1);
    }
  });

  test("and is at most one visit for each way to take the segments", () => {
    const index = indexOf((position) => ({ path: shaped(position) }), many);
    expect(index.shapeCount).toBe(64);
    // Each of 64 ways has a node for each of its segments, most of them shared, and then a node and an end of its own.
    const most = 127 + 2 * 64;
    for (const leaf of ["leaf-0", `leaf-${(many >> 6) - 1}`, "missing"]) {
      expect(index.countSteps(target(`/same/same/same/same/same/same/${leaf}`))).toBeLessThanOrEqual(most);
    }
  });
});

test.each<[templates: string[], shapes: number]>([
  [[], 0],
  [["/a", "/b/c", "/"], 1],
  [["/a/{x}", "/b/{y}/c", "/{z}/b"], 2],
  [["/a/{x}", "/a/item-{x}", "/{x}/{y}"], 2],
])("%j have %i shapes", (templates, shapes) => {
  expect(createRouteIndex(defineRoutes(templates.map((path) => ({ path })))).shapeCount).toBe(shapes);
});

describe("no input is expensive", () => {
  const sixty = (route: (index: number) => PlainRoute): RouteIndex<number> => indexOf(route, 60);
  const dashes = (index: number): string => "-".repeat(index + 1);
  const indexes = [
    {
      routes: "literals of sixty lengths",
      index: sixty((at) => ({ path: `/{a}${dashes(at)}report${dashes(at)}{b}/${at}` })),
    },
    { routes: "a literal in another one, sixty times", index: sixty((at) => ({ path: `/{a}${dashes(at)}{b}/${at}` })) },
    { routes: "sixty ways to end", index: sixty((at) => ({ path: `/{a}-${"r".repeat(at + 1)}-{b}` })) },
    { routes: "many placeholders", index: sixty((at) => ({ path: `/{a}-{b}-{c}-{d}-{e}-{f}-{g}-{h}x/${at}` })) },
    { routes: "64 shapes", index: indexOf((at) => ({ path: shaped(at) }), 64) },
    { routes: "queries", index: sixty((at) => ({ path: "/a", query: `k={x}z${at}` })) },
  ];
  const length = 15_000;
  const filled = (piece: string): string => piece.repeat(length / piece.length);
  const targets = [
    { name: "a run of dashes", sent: target(`/${filled("-")}/end`) },
    { name: "a run of letters", sent: target(`/-${filled("r")}/end`) },
    { name: "literals again and again", sent: target(`/${filled("-report-")}/end`) },
    { name: "nothing but slashes", sent: target(filled("/")) },
    { name: "nothing but escapes", sent: target(filled("/%41")) },
    { name: "nothing but escapes that stay", sent: target(filled("%2D%2F")) },
    { name: "some escapes", sent: target(`/${filled("a-%20")}`) },
    { name: "a long value of a query", sent: target("/a", `k=${filled("%20a")}`) },
    { name: "many parameters", sent: target("/a", `k=1${filled("&a")}`) },
  ];

  const mostTimes = 20;
  const free = 1_000;

  test.each(indexes)("$routes", async ({ index }) => {
    // What any code does that looks at each character a few times: the measure for a machine that has other work to do.
    const usual = () => processorTimeOf(() => filled("/%41").replace(/%../g, (found) => found.toLowerCase()));
    for (const { name, sent } of targets) {
      const suspected = () => processorTimeOf(() => index.find(sent)) - free;
      const times = await timesUsual({ suspected, usual, most: mostTimes, atFirst: 25 });
      expect({ name, isCheap: times < mostTimes || times }).toEqual({ name, isCheap: true });
    }
  });
});
