import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { createConsulSimulator, type RegistryFault } from "../../src/simulator/index.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import type { Upstream } from "../helpers/start-upstream.ts";
import { eventually, routeTo, startTwoInstances } from "./instances.ts";
import { registries } from "./registries.ts";

const { a, b, closing } = await startTwoInstances();

const long = JSON.stringify(Array(1_000_000).fill("0123456"));
const faults: readonly Readonly<{ about: string; fault: RegistryFault; isNoticed?: false }>[] = [
  { about: "away", fault: { kind: "away" } },
  { about: "broken", fault: { kind: "status", status: 500 } },
  // Nobody can tell yet whether it will answer.
  { about: "slow", fault: { kind: "slow", seconds: 30 }, isNoticed: false },
  { about: "cut in the middle of an answer", fault: { kind: "cut" } },
  { about: "no JSON", fault: { kind: "nonsense", text: "<html>" } },
  { about: "nothing", fault: { kind: "nonsense", text: "" } },
  { about: "something else", fault: { kind: "nonsense", text: '{"items":{},"application":[],"Node":1}' } },
  { about: "a list of something else", fault: { kind: "nonsense", text: "[1,null,[]]" } },
  { about: "more than 8 MiB", fault: { kind: "nonsense", text: long } },
];

// They wait for the most part, and do so at the same time.
test.concurrent.each(Object.keys(registries))(
  "while %s is in trouble, each request goes where it has told last, and then where it tells next",
  async (name) => {
    // DNS is asked once more where nothing comes that is an answer: it takes long until that is noticed.
    const rows = name === "Dns" ? faults.map((row) => ({ ...row, isNoticed: row.fault.kind === "status" })) : faults;
    const registry = await registries[name]!();
    registry.tell([a]);
    const { origin, gateway, close } = await startGateway({
      Routes: [routeTo("orders")],
      GlobalConfiguration: { ServiceDiscoveryProvider: registry.provider },
    });
    closing.push(close, registry.close);
    const ask = async (): Promise<string> => {
      const answer = await fetch(`${origin}/orders/1`);
      return answer.ok ? answer.text() : String(answer.status);
    };
    let [now, next] = [a, b];
    const nameOf = (upstream: Upstream): string => (upstream === a ? "a /1" : "b /1");
    expect(await ask()).toBe("a /1");
    for (const { about, fault, isNoticed = true } of rows) {
      registry.fault(fault);
      const isAway = (): boolean => gateway.health().degraded.length === 1;
      if (isNoticed) await eventually(isAway, (found) => found);
      else await wait(300);
      const answers = new Set<string>();
      for (let count = 0; count < 20; count += 1) answers.add(await ask());
      expect([about, [...answers]]).toEqual([about, [nameOf(now)]]);
      registry.tell([next]);
      registry.fault();
      expect([about, await eventually(ask, (answer) => answer !== nameOf(now))]).toEqual([about, nameOf(next)]);
      await eventually(isAway, (found) => !found);
      [now, next] = [next, now];
    }
    registry.tell([]);
    expect(await eventually(ask, (answer) => answer === "503")).toBe("503");
    registry.tell([now]);
    expect(await eventually(ask, (answer) => answer !== "503")).toBe(nameOf(now));
  },
  60_000,
);

test("a thousand services of one Consul are known, and followed, without a storm of questions", async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `service-${index}`);
  const at = ({ port }: Upstream) => [{ address: "127.0.0.1", port }];
  const consul = createConsulSimulator({ services: Object.fromEntries(names.map((service) => [service, at(a)])) });
  const { port } = await consul.listen();
  const { origin, gateway, close } = await startGateway({
    Routes: names.map((service) => routeTo(service)),
    GlobalConfiguration: { ServiceDiscoveryProvider: { Type: "Consul", Host: "127.0.0.1", Port: port } },
  });
  closing.push(close, consul.close);
  await eventually(
    () => gateway.health().status,
    (status) => status === "ready",
  );
  const began = performance.now();
  for (const service of names) expect((await fetch(`${origin}/${service}/1`)).status).toBe(200);
  for (const service of names) consul.setInstances(service, at(b));
  const isAtB = async (service: string): Promise<boolean> =>
    (await (await fetch(`${origin}/${service}/1`)).text()) === "b /1";
  for (const service of names) expect(await eventually(() => isAtB(service), Boolean)).toBe(true);
  // Of a hundred Consul tells what changes; the others are asked every five seconds.
  const rounds = Math.ceil((performance.now() - began) / 5_000) + 2;
  expect(consul.requests().length).toBeLessThan(1_000 * rounds);
}, 60_000);
