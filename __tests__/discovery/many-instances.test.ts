import { afterEach, expect, test } from "@jest/globals";
import { readInstances } from "../../src/discovery/read-instances.ts";
import type { FoundInstance, InstanceFinder } from "../../src/index.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { eventually, routeTo, startInstance } from "./instances.ts";

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const mostOfService = 10_000;
// Each takes 20,000 places of 400,000: those that are told, and those where it was seen last.
const mostFull = 19;

test("instances of all services together have a bound, over which a service goes on with its last list", async () => {
  const instance = await startInstance("a");
  closing.push(instance.close);
  const own: FoundInstance = { host: "127.0.0.1", port: instance.port };
  const many = Array.from({ length: mostOfService }, (_, index) => ({ host: `host${index}.internal`, port: 80 }));
  const tellings = new Map<string, (told: readonly FoundInstance[]) => void>();
  const discovery: Record<string, InstanceFinder> = {
    Table: ({ name }, update, signal) => {
      tellings.set(name, update);
      update([own]);
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
    },
  };
  const names = Array.from({ length: mostFull + 2 }, (_, index) => `service${index}`);
  const config = {
    Routes: names.map((name) => ({ ...routeTo(name), DownstreamScheme: "http" })),
    GlobalConfiguration: { ServiceDiscoveryProvider: { Type: "Table", AllowAddresses: ["127.0.0.1"] } },
  };
  const running = await startGateway(config, { discovery });
  closing.push(running.close);
  await eventually(
    () => tellings.size,
    (size) => size === names.length,
  );
  const last = names.at(-1)!;
  const ask = async (): Promise<string> => (await fetch(`${running.origin}/${last}/1`)).text();
  for (const name of [...names.slice(0, mostFull), last]) tellings.get(name)!(many);
  expect(running.gateway.health().degraded).toHaveLength(1);
  expect(await ask()).toBe("a /1");
  tellings.get(last)!([own, { host: "127.0.0.1", port: 1 }]);
  expect(running.gateway.health().degraded).toEqual([]);
  expect(await ask()).toBe("a /1");
});

test("of an instance nothing is kept that nothing goes by, nor what is wrong with each of thousands", () => {
  const good = { host: "10.0.0.1", port: 80, tags: ["a".repeat(1_000)] };
  const wrong = Array.from({ length: 5_000 }, (_, index) => ({ host: `wrong ${index}`, port: 80 }));
  const read = readInstances([good, ...wrong], () => true);
  expect(read.instances).toEqual([{ host: "10.0.0.1", port: 80 }]);
  expect(read.faults).toHaveLength(20);
});
