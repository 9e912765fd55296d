import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { PlacedValue } from "./arbitrary-conversation.ts";
import { longest } from "./bounds.ts";
import { converse } from "./converse.ts";
import { type Scene, startScene } from "./scene.ts";
import { timesUsual } from "../helpers/compare-costs.ts";

const length = 8_000;
const mostTimes = 6;
const harmless = "&a=1";
// Each parameter has a name that has to be decoded, that cannot be decoded, or that frameworks read in several ways.
const hostile = ["&%=", "&%", "&%zz=", "&%ff=", "&%e9%=1", "&%u0041=", "&%u0041=%3d", "&a=%25253d", "&a={%22b%22:"];
const odd = ["&a[", "&[a]", "&;", "&+", "&a.b", "&=", ";a=%3d", "=", "%", "&a=%3d", "&kkk=1"];

let scene: Scene;

beforeAll(async () => {
  scene = await startScene({ engine: "undici", responder: "header" });
});
afterAll(() => scene.close());

/** CPU time of the gateway for one request. */
async function costOf(filling: string): Promise<number> {
  const placed: PlacedValue = { place: "query behind captured parameters", value: { length, filling } };
  const before = await scene.gateway.ask("cpu");
  await converse(scene.gateway.ports.plain, [scene.numbered(placed)]);
  return (await scene.gateway.ask("cpu")) - before;
}

test(
  "no query costs many times what another one of its length costs, whatever its characters",
  async () => {
    const expensive: string[] = [];
    const usual = () => costOf(harmless);
    for (const filling of [...hostile, ...odd]) {
      const times = await timesUsual({ suspected: () => costOf(filling), usual, most: mostTimes });
      if (times >= mostTimes) expensive.push(`${JSON.stringify(filling)}: ${times.toFixed(1)} times`);
    }
    expect(expensive).toEqual([]);
  },
  longest,
);
