import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startInstances } from "./coming-and-going.ts";
import { routeTo } from "./instances.ts";
import { pollingInterval, registries, type Registry } from "./registries.ts";

// The short form; CHANGING_SECONDS=60 lasts a minute.
const milliseconds = 1_000 * Number(process.env.CHANGING_SECONDS ?? 5);
const clients = 3;
const route = { LoadBalancerOptions: { Type: "RoundRobin" }, Retry: { Count: 2 } };

type Outcome = Readonly<{ statuses: readonly number[]; requests: number; latest: number; asked: number }>;

/** How often a registry may be asked at most, by what changes and by how long it takes. */
const mostAsked: Readonly<Record<string, (changes: number) => number>> = {
  Consul: (changes) => changes + 10,
  Kubernetes: () => 10,
  Eureka: () => milliseconds / pollingInterval + 10,
  Dns: () => milliseconds / pollingInterval + 10,
};

describe.each(engines)("while instances come and go every 100 ms, over $name,", ({ create }) => {
  test(
    "each request finds one that is there, and no request asks a registry",
    async () => {
      const outcomes = await Promise.all(
        Object.entries(registries).map(async ([name, start]) => {
          const registry = await start();
          const { changes, ...outcome } = await runUnderLoad(registry, create());
          expect([name, changes > milliseconds / 400]).toEqual([name, true]);
          return [name, { ...outcome, isAskedSeldom: outcome.asked <= mostAsked[name]!(changes) }] as const;
        }),
      );
      expect(outcomes.map(([name, { statuses, isAskedSeldom }]) => [name, statuses, isAskedSeldom])).toEqual(
        Object.keys(registries).map((name) => [name, [200], true]),
      );
      for (const [, { requests, latest }] of outcomes) {
        expect(requests).toBeGreaterThan(milliseconds / 20);
        expect(latest).toBeLessThan(1_000);
      }
    },
    milliseconds * 3 + 30_000,
  );
});

async function runUnderLoad(
  registry: Registry,
  engine: ReturnType<(typeof engines)[number]["create"]>,
): Promise<Outcome & Readonly<{ changes: number }>> {
  const instances = await startInstances(registry.tell);
  const { origin, close } = await startGateway(
    { Routes: [routeTo("orders", route)], GlobalConfiguration: { ServiceDiscoveryProvider: registry.provider } },
    { engine },
  );
  const statuses = new Map<number, number>();
  let isOver = false;
  const asking = Array.from({ length: clients }, ask);
  await instances.change(milliseconds);
  isOver = true;
  await Promise.all(asking);
  await Promise.all([close(), registry.close()]);
  await instances.close();
  return {
    statuses: [...statuses.keys()],
    requests: [...statuses.values()].reduce((sum, count) => sum + count),
    latest: instances.latest(),
    asked: registry.asked(),
    changes: instances.changes(),
  };

  async function ask(): Promise<void> {
    while (!isOver) {
      const answer = await fetch(`${origin}/orders/1`);
      await answer.arrayBuffer();
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      await wait(5);
    }
  }
}
