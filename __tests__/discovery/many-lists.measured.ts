import { expect, test } from "@jest/globals";
import type { FoundInstance, InstanceFinder } from "../../src/index.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { eventually, routeTo, startTwoInstances } from "./instances.ts";

const { a, b, closing } = await startTwoInstances();

const paths = Array.from({ length: 60 }, (_, index) => `/orders-${index}`);

test("after a change of thousands of instances, others are served while each of many routes makes its list", async () => {
  const { tell, askFirst, askAll } = await startRoutes(5_000);
  await askAll();
  for (const round of [1, 2]) {
    tell(round);
    await eventually(askFirst, (answer) => answer === answerIn(round));
    const turns = watchTurns();
    expect(new Set(await askAll())).toEqual(new Set([answerIn(round)]));
    const { longest, all } = turns.end();
    expect(longest).toBeLessThan(all / 4);
  }
});

test("thousands of instances that change again and again come into force as seldom as the lists of many routes ask for", async () => {
  // So long that the lists take most of the time, however slowly the machine answers requests meanwhile.
  const { tell, askAll } = await startRoutes(15_000);
  await askAll();
  const last = 3;
  const inForce: boolean[] = [];
  for (let round = 0; round <= last; round += 1) {
    tell(round);
    inForce.push((await askAll()).every((answer) => answer === answerIn(round)));
  }
  expect(inForce).toContain(false);
  const answers = await eventually(askAll, (all) => all.every((answer) => answer === answerIn(last)));
  expect(new Set(answers)).toEqual(new Set([answerIn(last)]));
});

type Ask<Answer> = () => Promise<Answer>;

/** Many routes to a service, of which thousands of instances change in each round; the first one answers. */
async function startRoutes(
  count: number,
): Promise<Readonly<{ tell: (round: number) => void; askFirst: Ask<string>; askAll: Ask<readonly string[]> }>> {
  let tell: ((told: readonly FoundInstance[]) => void) | undefined;
  const find: InstanceFinder = (_service, update, signal) => {
    tell = update;
    update(instancesIn(0, count));
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
  const ask = async (path: string): Promise<string> => (await fetch(`${origin}${path}/1`)).text();
  return {
    askFirst: () => ask(paths[0]!),
    tell: (round) => tell!(instancesIn(round, count)),
    askAll: () => Promise.all(paths.map(ask)),
  };
}

function instancesIn(round: number, count: number): FoundInstance[] {
  return [
    { host: "127.0.0.1", port: (round % 2 === 0 ? a : b).port },
    ...Array.from({ length: count - 1 }, (_, index) => ({ host: `host${index}.round${round}.internal`, port: 80 })),
  ];
}

function answerIn(round: number): string {
  return round % 2 === 0 ? "a /1" : "b /1";
}

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
