import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { timesUsual } from "../helpers/compare-costs.ts";
import { longest } from "./bounds.ts";
import { fillings } from "./client-values.ts";
import { converse } from "./converse.ts";
import { type Scene, startScene } from "./scene.ts";

// Nearly all that Node takes of a head.
const length = 15_000;
const mostTimes = 20;
const harmless = "a";

let scene: Scene;

beforeAll(async () => {
  scene = await startScene({ engine: "undici", responder: "header" });
});
afterAll(() => scene.close());

/** CPU time of the gateway for one request. */
async function costOf(place: string, filling: string): Promise<number> {
  const before = await scene.gateway.ask("cpu");
  await converse(scene.gateway.ports.plain, [scene.numbered({ place, value: { length, filling } })]);
  return (await scene.gateway.ask("cpu")) - before;
}

test.each([
  "rest of a path",
  "token in the path",
  "path that no route has",
  "segment with literals",
  "value of a parameter",
  "host",
  "host of a route",
  "name of a header",
  "header Cookie",
  "header X-Any",
  "header X-Token",
  "header X-Forwarded-For",
  "header Connection",
  "header Content-Type",
])(
  "15 kB of whatever characters cost at most twenty times what harmless ones cost: %s",
  async (place) => {
    const expensive: string[] = [];
    for (const filling of fillings) {
      const comparison = { suspected: () => costOf(place, filling), usual: () => costOf(place, harmless) };
      const times = await timesUsual({ ...comparison, most: mostTimes, atFirst: 1 });
      if (times >= mostTimes) expensive.push(`${JSON.stringify(filling)}: ${times.toFixed(1)} times`);
    }
    expect(expensive).toEqual([]);
  },
  longest,
);
