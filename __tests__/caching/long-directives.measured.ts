import { afterEach, expect, test } from "@jest/globals";
import { timesUsual } from "../helpers/compare-costs.ts";
import { type Asked, type CachedRoute, startCachedRoute } from "./cached-route.ts";

// Nearly all that Node takes of a head.
const length = 15_000;
const mostTimes = 10;
const longest = 60_000;

const fillings = ["a,", "a=1,", 'a="', "max-age=1,", "no-store ,"];
const fill = (filling: string): string => filling.repeat(length / filling.length);
const harmless = fill("a");

let route: CachedRoute | undefined;
afterEach(async () => {
  await route?.close();
  route = undefined;
});

/** CPU time of a request, of the service and of the client included. */
async function costOf(asked: Asked): Promise<number> {
  const before = process.cpuUsage();
  await route!.ask(asked);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function findExpensive(toAsked: (value: string) => Asked): Promise<readonly string[]> {
  const expensive: string[] = [];
  for (const filling of fillings) {
    const comparison = { suspected: () => costOf(toAsked(fill(filling))), usual: () => costOf(toAsked(harmless)) };
    const times = await timesUsual({ ...comparison, most: mostTimes });
    if (times >= mostTimes) expensive.push(`${filling} ${times.toFixed(1)} times`);
  }
  return expensive;
}

test.each(["Ttl", "Rfc"])(
  "15 kB of directives cost at most ten times what one long word costs: of a trusted peer, with Mode %s",
  async (Mode) => {
    const service = { headers: { "Cache-Control": "max-age=60" } };
    const options = { trustProxy: true };
    route = await startCachedRoute(service, { route: { CacheOptions: { TtlSeconds: 60, Mode } }, options });
    const expensive = await findExpensive((value) => ({ headers: { "Cache-Control": value } }));
    expect(expensive).toEqual([]);
  },
  longest,
);

test.each(["Ttl", "Rfc"])(
  "15 kB of directives cost at most ten times what one long word costs: of the service, with Mode %s",
  async (Mode) => {
    let asked = 0;
    route = await startCachedRoute(
      { answer: (req, res) => res.setHeader("Cache-Control", String(req.headers["x-says"])).end("x") },
      { route: { CacheOptions: { TtlSeconds: 60, Mode } } },
    );
    const expensive = await findExpensive((value) => ({ path: `/${(asked += 1)}`, headers: { "X-Says": value } }));
    expect(expensive).toEqual([]);
  },
  longest,
);
