import { afterEach, expect, test } from "@jest/globals";
import type { FoundInstance, InstanceFinder } from "../../src/index.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { routeTo, startInstance } from "./instances.ts";

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const paths = Array.from({ length: 60 }, (_, index) => `/orders-${index}`);

test("after a change of thousands of instances, others are served while each of many routes makes its list", async () => {
  const instance = await startInstance("a");
  closing.push(instance.close);
  const listOf = (round: number): FoundInstance[] => [
    { host: "127.0.0.1", port: instance.port },
    ...Array.from({ length: 5_000 }, (_, index) => ({ host: `host${index}.round${round}.internal`, port: 80 })),
  ];
  let tell: ((told: readonly FoundInstance[]) => void) | undefined;
  const find: InstanceFinder = (_service, update, signal) => {
    tell = update;
    update(listOf(0));
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
  };
  const config = {
    Routes: paths.map((path) => ({ ...routeTo("orders"), UpstreamPathTemplate: `${path}/{everything}` })),
    GlobalConfiguration: {
      ServiceDiscoveryProvider: { Type: "Table", AllowAddresses: ["127.0.0.1"] },
      QoSOptions: { MinimumThroughput: 5, FailureRatio: 0.5 },
    },
  };
  const { origin, close } = await startGateway(config, { discovery: { Table: find } });
  closing.push(close);
  const askAll = (): Promise<string[]> =>
    Promise.all(paths.map(async (path) => (await fetch(`${origin}${path}/1`)).text()));
  await askAll();

  for (const round of [1, 2]) {
    tell!(listOf(round));
    const turns = watchTurns();
    expect(new Set(await askAll())).toEqual(new Set(["a /1"]));
    const { longest, all } = turns.end();
    expect(longest).toBeLessThan(all / 4);
  }
});

/** How long the longest turn of the event loop takes, and all of them. */
function watchTurns(): Readonly<{ end: () => Readonly<{ longest: number; all: number }> }> {
  const began = performance.now();
  let last = began;
  let longest = 0;
  let next = setImmediate(note);
  return { end };

  function note(): void {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    next = setImmediate(note);
  }

  function end(): Readonly<{ longest: number; all: number }> {
    clearImmediate(next);
    return { longest, all: performance.now() - began };
  }
}
