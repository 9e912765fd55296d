import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { PlacedValue } from "./arbitrary-conversation.ts";
import { longest } from "./bounds.ts";
import { converse } from "./converse.ts";
import { type Scene, startScene } from "./scene.ts";

const length = 8_000;
const mostTimes = 6;
const repeats = 8;
const harmless = "&a=1";
// Each parameter has a name that has to be decoded, that cannot be decoded, or that frameworks read in several ways.
const hostile = ["&%=", "&%", "&%zz=", "&%ff=", "&%e9%=1", "&%u0041=", "&%u0041=%3d", "&a=%25253d", "&a={%22b%22:"];
const odd = ["&a[", "&[a]", "&;", "&+", "&a.b", "&=", ";a=%3d", "=", "%", "&a=%3d", "&kkk=1"];

let scene: Scene;

beforeAll(async () => {
  scene = await startScene({ engine: "undici", responder: "header" });
});
afterAll(() => scene.close());

/** CPU time of the gateway for one request: the least of a few, as a collection of garbage falls into some. */
async function costOf(filling: string): Promise<number> {
  const placed: PlacedValue = { place: "query behind captured parameters", value: { length, filling } };
  let least = Infinity;
  for (let count = 0; count < repeats; count += 1) {
    const before = await scene.gateway.ask("cpu");
    await converse(scene.gateway.ports.plain, [scene.numbered(placed)]);
    least = Math.min(least, (await scene.gateway.ask("cpu")) - before);
  }
  return least;
}

test(
  "no query costs many times what another one of its length costs, whatever its characters",
  async () => {
    await costOf(harmless);
    const usual = await costOf(harmless);
    const expensive: string[] = [];
    for (const filling of [...hostile, ...odd]) {
      const times = (await costOf(filling)) / usual;
      if (times > mostTimes) expensive.push(`${JSON.stringify(filling)}: ${Math.round(times)} times`);
    }
    expect(expensive).toEqual([]);
  },
  longest,
);
