import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { createRegistryClient } from "../../src/discovery/registries/registry-client.ts";
import {
  createEurekaSimulator,
  createKubernetesSimulator,
  type EurekaInstance,
  type KubernetesEndpoints,
} from "../../src/simulator/index.ts";
import { startDns } from "../helpers/start-dns.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import type { Upstream } from "../helpers/start-upstream.ts";
import { eventually, routeTo, startTwoInstances } from "./instances.ts";

const { a, b, closing } = await startTwoInstances();

type Ask = (service?: string) => Promise<string>;

async function gatewayFor(
  provider: object,
  ...routes: readonly object[]
): Promise<{ ask: Ask; degraded: () => readonly string[] }> {
  const { origin, gateway, close } = await startGateway({
    Routes: [routeTo("orders"), ...routes],
    GlobalConfiguration: { ServiceDiscoveryProvider: { Host: "127.0.0.1", ...provider } },
  });
  closing.push(close);
  return {
    degraded: () => gateway.health().degraded,
    async ask(service = "orders") {
      const answer = await fetch(`${origin}/${service}/1`);
      const text = await answer.text();
      return answer.ok ? text : String(answer.status);
    },
  };
}

async function kubernetesWith(...slices: readonly KubernetesEndpoints[]) {
  const kubernetes = createKubernetesSimulator({ services: { "shop/orders": slices }, token: "t0ken" });
  const { port } = await kubernetes.listen();
  closing.push(kubernetes.close);
  const provider = { Type: "Kube", Scheme: "http", Port: port, Token: "t0ken", Namespace: "shop" };
  return { ...kubernetes, provider };
}

function at(upstream: Upstream, more: Partial<KubernetesEndpoints> = {}): KubernetesEndpoints {
  return { addresses: ["127.0.0.1"], ports: [{ name: "http", port: upstream.port }], ...more };
}

test.each(["Kube", "WatchKube", "PollKube"])(
  "%s: what changes in Kubernetes counts at once, or at intervals",
  async (Type) => {
    const kubernetes = await kubernetesWith(at(a));
    const { ask } = await gatewayFor({ ...kubernetes.provider, Type, PollingInterval: 30 });
    expect(await ask()).toBe("a /1");
    kubernetes.setSlices("shop/orders", [at(b)]);
    expect(await eventually(ask, (answer) => answer !== "a /1")).toBe("b /1");
    kubernetes.setSlices("shop/orders", []);
    expect(await eventually(ask, (answer) => answer !== "b /1")).toBe("503");
    kubernetes.setSlices("shop/orders", [at(a)]);
    expect(await eventually(ask, (answer) => answer !== "503")).toBe("a /1");
  },
);

/** A registry that answers each first piece of a connection with a text. */
async function rawRegistry(answer: string) {
  let asked = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => {
      asked += 1;
      socket.write(answer);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await once(server.close(), "close");
  });
  return { asked: () => asked, connected: () => sockets.size, port: (server.address() as AddressInfo).port };
}

test.each(["Consul", "Kube", "Eureka"])(
  "%s: one that switches protocols unasked fails, and is asked again",
  async (Type) => {
    const { asked, port } = await rawRegistry(
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
    );
    const { degraded } = await gatewayFor({ Type, Scheme: "http", Port: port });
    expect(await eventually(asked, (count) => count > 1)).toBeGreaterThan(1);
    expect(degraded()).toHaveLength(1);
  },
);

test("a question that waits for a connection is given up in time", async () => {
  const { asked, port } = await rawRegistry("");
  const client = createRegistryClient({ scheme: "http", host: "127.0.0.1", port }, 1);
  const leaving = new AbortController();
  closing.push(async () => client.close());
  const ask = (within: number): Promise<unknown> => client.ask({ path: "/", within, signal: leaving.signal });
  const first = ask(60_000);
  await eventually(asked, (count) => count === 1);
  await expect(ask(20)).rejects.toThrow("not answered in time");
  leaving.abort();
  await expect(first).rejects.toThrow("aborted");
});

test("what nobody wants to know any more opens no connection", async () => {
  const { connected, port } = await rawRegistry("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
  const client = createRegistryClient({ scheme: "http", host: "127.0.0.1", port });
  closing.push(async () => client.close());
  const ask = (signal: AbortSignal): Promise<unknown> => client.ask({ path: "/", within: 60_000, signal });
  const unwanted = await Promise.allSettled([1, 2, 3].map(() => ask(AbortSignal.abort())));
  expect(unwanted.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  await ask(new AbortController().signal);
  expect(connected()).toBe(1);
});

async function clientOf(answer: string) {
  const { port } = await rawRegistry(answer);
  const client = createRegistryClient({ scheme: "http", host: "127.0.0.1", port });
  closing.push(async () => client.close());
  return client;
}

const question = { path: "/", within: 60_000, signal: new AbortController().signal };

test("a registry that sends interim answers without end has failed", async () => {
  const client = await clientOf(
    `${"HTTP/1.1 103 Hints\r\n\r\n".repeat(100)}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}`,
  );
  await expect(client.ask(question)).rejects.toThrow("interim answers");
});

test("blank lines of a watch wait for the registry's share of the time", async () => {
  const client = await clientOf("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n".concat("\n".repeat(1_000)));
  client.share.note(100);
  const began = performance.now();
  await client.follow(question, () => undefined);
  expect(performance.now() - began).toBeGreaterThan(200);
});

test.each([undefined, "Gone"] as const)("a watch of Kubernetes that ends (%s) is begun again", async (reason) => {
  const kubernetes = await kubernetesWith(at(a));
  const { ask } = await gatewayFor(kubernetes.provider);
  expect(await ask()).toBe("a /1");
  const watched = (): number => kubernetes.requests().filter(({ url }) => url.includes("watch=true")).length;
  await eventually(watched, (count) => count === 1);
  kubernetes.endWatches(reason);
  await eventually(watched, (count) => count === 2);
  kubernetes.setSlices("shop/orders", [at(b)]);
  expect(await eventually(ask, (answer) => answer !== "a /1")).toBe("b /1");
});

// JSON may hold what nothing can be made of.
const noText = { toString: 1, valueOf: 1 } as unknown as string;

const slices: readonly Readonly<{
  about: string;
  endpoints: () => readonly KubernetesEndpoints[];
  expected: string;
}>[] = [
  {
    about: "an endpoint that is not ready is not asked",
    endpoints: () => [at(a, { addresses: ["127.0.0.1"], notReady: ["127.0.0.1"] })],
    expected: "503",
  },
  {
    about: "the port that is called like the scheme counts, wherever it stands",
    endpoints: () => [
      at(a, {
        ports: [
          { name: "metrics", port: b.port },
          { name: "HTTP", port: a.port },
        ],
      }),
    ],
    expected: "a /1",
  },
  {
    about: "where none is called so, the first one counts",
    endpoints: () => [
      at(a, {
        ports: [
          { name: "web", port: a.port },
          { name: "metrics", port: b.port },
        ],
      }),
    ],
    expected: "a /1",
  },
  {
    about: "of a service with both kinds of addresses, those of IPv4 count",
    endpoints: () => [at(b, { addressType: "IPv6", addresses: ["::1"] }), at(a)],
    expected: "a /1",
  },
  {
    about: "a port whose name is no text has none",
    endpoints: () => [at(a, { ports: [{ name: noText, port: a.port }] })],
    expected: "a /1",
  },
  { about: "a service without ports has no instances", endpoints: () => [at(a, { ports: [] })], expected: "503" },
];

test.each(slices)("Kubernetes: $about", async ({ endpoints, expected }) => {
  const kubernetes = await kubernetesWith(...endpoints());
  const { ask } = await gatewayFor(kubernetes.provider);
  expect(await ask()).toBe(expected);
});

test("a namespace of the route goes before that of the provider", async () => {
  const kubernetes = await kubernetesWith(at(a));
  kubernetes.setSlices("stock/parts", [at(b)]);
  const { ask } = await gatewayFor(kubernetes.provider, routeTo("parts", { ServiceNamespace: "stock" }));
  expect(await ask("parts")).toBe("b /1");
});

test("a token in a file is read again", async () => {
  const folder = await mkdtemp(join(tmpdir(), "waymark-"));
  closing.push(() => rm(folder, { recursive: true }));
  const TokenFile = join(folder, "token");
  await writeFile(TokenFile, "old\n");
  const kubernetes = await kubernetesWith(at(a));
  const { ask, degraded } = await gatewayFor({ ...kubernetes.provider, Token: undefined, TokenFile });
  await eventually(degraded, ({ length }) => length === 1);
  await writeFile(TokenFile, "t0ken\n");
  expect(await ask()).toBe("a /1");
});

// Only Linux has it; elsewhere nothing lies behind the link.
const endless = "/proc/self/pagemap";

test.each([
  { kind: "a pipe to which nobody writes", make: (path: string) => void execFileSync("mkfifo", [path]) },
  { kind: "a device that never ends", make: (path: string) => symlinkSync("/dev/zero", path) },
  { kind: "a file without an end that says it is empty", make: (path: string) => symlinkSync(endless, path) },
  { kind: "a directory", make: (path: string) => mkdirSync(path) },
])("a token is read at once, or not at all: $kind", async ({ make }) => {
  const folder = mkdtempSync(join(tmpdir(), "waymark-"));
  closing.push(async () => rmSync(folder, { recursive: true }));
  const TokenFile = join(folder, "token");
  make(TokenFile);
  const kubernetes = await kubernetesWith(at(a));
  const provider = { ...kubernetes.provider, Token: undefined, TokenFile };
  const { ask, degraded } = await gatewayFor(provider, routeTo("parts"), routeTo("stock"), routeTo("prices"));
  await eventually(degraded, ({ length }) => length > 0);
  const byName = await fetch(`http://localhost:${a.port}/2`);
  expect(await byName.text()).toBe("a /2");
  rmSync(TokenFile, { recursive: true });
  writeFileSync(TokenFile, "t0ken\n");
  expect(await eventually(ask, (answer) => answer !== "503")).toBe("a /1");
});

const instances: readonly Readonly<{ about: string; more: Partial<EurekaInstance>; expected: string }>[] = [
  { about: "an instance that is up", more: {}, expected: "a /1" },
  { about: "an instance that is down", more: { status: "DOWN" }, expected: "503" },
  { about: "the port without TLS where the route says http", more: { securePort: 1 }, expected: "a /1" },
];

test.each(instances)("Eureka: $about", async ({ more, expected }) => {
  const eureka = createEurekaSimulator({
    applications: { orders: [{ hostName: "127.0.0.1", port: a.port, ...more }] },
  });
  closing.push(eureka.close);
  const { port } = await eureka.listen();
  const { ask } = await gatewayFor({ Type: "Eureka", Port: port, PollingInterval: 30 });
  expect(await ask()).toBe(expected);
  eureka.setInstances("orders", [{ hostName: "127.0.0.1", port: b.port }]);
  expect(await eventually(ask, (answer) => answer === "b /1")).toBe("b /1");
  eureka.setInstances("orders", []);
  expect(await eventually(ask, (answer) => answer === "503")).toBe("503");
});

test("Eureka: an instance whose port is no number keeps no other from being found", async () => {
  const odd = { hostName: "127.0.0.1", port: noText as unknown as number };
  const eureka = createEurekaSimulator({
    applications: { orders: [odd, { hostName: "127.0.0.1", port: a.port }] },
  });
  const { port } = await eureka.listen();
  closing.push(eureka.close);
  const { ask } = await gatewayFor({ Type: "Eureka", Port: port });
  expect(await ask()).toBe("a /1");
});

test("Dns: SRV records of the lowest priority count", async () => {
  const srv = (upstream: Upstream, priority: number) => ({
    target: "127.0.0.1",
    port: upstream.port,
    priority,
    weight: 1,
  });
  const dns = await startDns({ orders: { srv: [srv(a, 1), srv(b, 2)] } });
  closing.push(dns.close);
  const { ask } = await gatewayFor({ Type: "Dns", Port: dns.port, PollingInterval: 30 });
  expect(await ask()).toBe("a /1");
  dns.names.orders = { srv: [srv(b, 2)] };
  expect(await eventually(ask, (answer) => answer !== "a /1")).toBe("b /1");
  dns.names.orders = {};
  expect(await eventually(ask, (answer) => answer !== "b /1")).toBe("503");
});

test("Dns: a name without SRV records stands for its addresses, at the port of the scheme", async () => {
  const dns = await startDns({ orders: { a: ["127.0.0.9"] } });
  closing.push(dns.close);
  const targets: (string | undefined)[] = [];
  const { origin, close } = await startGateway(
    {
      Routes: [routeTo("orders")],
      GlobalConfiguration: { ServiceDiscoveryProvider: { Type: "Dns", Host: "127.0.0.1", Port: dns.port } },
    },
    { observers: [{ begin: () => ({ ended: ({ target }) => targets.push(target) }) }] },
  );
  closing.push(close);
  await fetch(`${origin}/orders/1`);
  expect(
    await eventually(
      () => targets,
      ({ length }) => length === 1,
    ),
  ).toEqual(["http://127.0.0.9/1"]);
});

const circle: Record<string, unknown> = { name: "node" };
circle.self = circle;
const ring: unknown[] = [];
ring.push(ring);
const revoked = Proxy.revocable([], {});
revoked.revoke();
const good = (): object => ({ host: "127.0.0.1", port: a.port });
const lazy = {
  get host(): string {
    throw new Error("Nobody knows it yet.");
  },
};

const unreadable: readonly Readonly<{ about: string; list: () => unknown; degraded: readonly string[] }>[] = [
  { about: "a port that JSON does not know", list: () => [{ host: "127.0.0.1", port: 5001n }, good()], degraded: [] },
  { about: "a host that holds itself", list: () => [{ host: circle, port: 1 }, good()], degraded: [] },
  { about: "a list as a host that holds itself", list: () => [{ host: ring, port: 1 }, good()], degraded: [] },
  { about: "an instance that throws", list: () => [lazy, good()], degraded: ["registry Table"] },
  { about: "a list that throws", list: () => revoked.proxy, degraded: ["registry Table"] },
];

test.each(unreadable)("a provider of one's own may tell $about in a timer", async ({ list, degraded }) => {
  const { promise: told, resolve: noteTold } = Promise.withResolvers<unknown>();
  const { origin, gateway, close } = await startGateway(
    { Routes: [routeTo("orders")], GlobalConfiguration: { ServiceDiscoveryProvider: { Type: "Table" } } },
    {
      discovery: {
        Table: async (_service, update) => {
          update([good()] as never);
          setImmediate(() => {
            try {
              noteTold(update(list() as never));
            } catch (error) {
              noteTold(error);
            }
          });
        },
      },
    },
  );
  closing.push(close);
  expect(await told).toBeUndefined();
  expect(gateway.health().degraded).toEqual(degraded);
  expect(await (await fetch(`${origin}/orders/1`)).text()).toBe("a /1");
});
