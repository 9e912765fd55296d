import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { existsSync, readdirSync } from "node:fs";
import type { Socket } from "node:net";
import { expect, test } from "@jest/globals";
import { collectGarbage } from "../helpers/collect-garbage.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import type { Upstream } from "../helpers/start-upstream.ts";
import { eventually, routeTo, startTwoInstances } from "./instances.ts";
import { registries } from "./registries.ts";

const { a, b, closing } = await startTwoInstances();

const watched = 1_000;
const beyond = 100;
const names = Array.from({ length: watched + beyond }, (_, index) => `service-${index}`);
const PollingInterval = 5_000;
// Of both sides, as the registry runs in this process.
const mostBytes = 150_000;

const rows: readonly Readonly<{
  name: string;
  /** Connections at the same time. */
  most: number;
  /** Questions that wait for what changes. */
  waiting: number;
  /** How many services are asked for at intervals. */
  polled: number;
}>[] = [
  { name: "Consul", most: 150, waiting: 100, polled: names.length },
  { name: "Kubernetes", most: watched + 50, waiting: watched, polled: beyond },
  { name: "Eureka", most: 50, waiting: 0, polled: names.length },
  { name: "Dns", most: 0, waiting: 0, polled: names.length },
];

test.each(rows)(
  "a thousand services of $name are known and followed, over few connections, and no request asks for them",
  async ({ name, most, waiting, polled }) => {
    const registry = await registries[name]!();
    closing.push(registry.close);
    for (const service of names) registry.tell([a], service);
    const provider = { ...registry.provider, PollingInterval };
    const connections = countConnections((provider as { Port?: number }).Port!);
    const before = heapInUse();
    const { origin, close } = await startGateway({
      Routes: names.map((service) => routeTo(service)),
      GlobalConfiguration: { ServiceDiscoveryProvider: provider },
    });
    closing.push(close);
    const ask = async (service: string): Promise<string> => (await fetch(`${origin}/${service}/1`)).text();
    const began = performance.now();
    for (const service of names) expect(await eventually(() => ask(service), isAt(a))).toBe("a /1");
    expect((heapInUse() - before) / names.length).toBeLessThan(mostBytes);

    await eventually(registry.asked, (count) => count >= names.length + waiting);
    const asked = registry.asked();
    const known = performance.now();
    for (const service of names) await ask(service);
    const rounds = Math.ceil((performance.now() - known) / PollingInterval) + 1;
    expect(registry.asked() - asked).toBeLessThanOrEqual(polled * rounds * (name === "Dns" ? 3 : 1));

    const few = names.slice(0, 9);
    for (const service of few) registry.tell([b], service);
    const told = performance.now();
    const delays = few.map(async (service) => {
      expect(await eventually(() => ask(service), isAt(b))).toBe("b /1");
      return performance.now() - told;
    });
    const median = (await Promise.all(delays)).toSorted((one, other) => one - other)[4]!;
    expect(median).toBeLessThan(polled === beyond ? 1_000 : PollingInterval + 1_000);
    for (const service of names) registry.tell([b], service);
    for (const service of names) expect(await eventually(() => ask(service), isAt(b))).toBe("b /1");

    console.log(
      `${name}: known after ${(known - began).toFixed()} ms, a change after ${median.toFixed()} ms, ${connections.most()} connections`,
    );
    await close();
    await eventually(connections.present, (count) => count === 0);
    expect([connections.present(), connections.most() <= most]).toEqual([0, true]);
    connections.end();
  },
  120_000,
);

const openFiles = "/proc/self/fd";
const whereFilesAreCounted = existsSync(openFiles) ? test : test.skip;

whereFilesAreCounted(
  "names of which no DNS server tells anything wait for each other",
  async () => {
    const registry = await registries.Dns!();
    closing.push(registry.close);
    registry.fault({ kind: "away" });
    for (const service of names) registry.tell([a], service);
    const before = readdirSync(openFiles).length;
    const { origin, close } = await startGateway({
      Routes: names.map((service) => routeTo(service)),
      GlobalConfiguration: { ServiceDiscoveryProvider: registry.provider },
    });
    closing.push(close);
    await eventually(registry.asked, (count) => count > 200);
    // What listens and the folder that is read are open, too.
    expect(readdirSync(openFiles).length - before).toBeLessThan(256 + 10);
    registry.fault();
    const last = async (): Promise<string> => (await fetch(`${origin}/${names.at(-1)!}/1`)).text();
    expect(await eventually(last, isAt(a))).toBe("a /1");
  },
  60_000,
);

function isAt(upstream: Upstream): (answer: string) => boolean {
  return (answer) => answer === (upstream === a ? "a /1" : "b /1");
}

function heapInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Counts the connections of this process to a port. */
function countConnections(port: number) {
  const open = new Set<Socket>();
  let most = 0;
  subscribe("net.client.socket", noteSocket);
  return { most: () => most, present: () => open.size, end: () => unsubscribe("net.client.socket", noteSocket) };

  function noteSocket(message: unknown): void {
    const { socket } = message as { socket: Socket };
    socket.once("connect", () => {
      if (socket.remotePort !== port) return;
      open.add(socket);
      most = Math.max(most, open.size);
      socket.once("close", () => open.delete(socket));
    });
  }
}
