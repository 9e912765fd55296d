import { describe, expect, test } from "@jest/globals";
import { type FoundInstance, type InstanceFinder } from "../../src/index.ts";
import {
  createEurekaSimulator,
  createKubernetesSimulator,
  type KubernetesEndpoints,
} from "../../src/simulator/index.ts";
import { type DnsName, startDns } from "../helpers/start-dns.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import type { Upstream } from "../helpers/start-upstream.ts";
import { routeTo, startTwoInstances } from "./instances.ts";

const { a, b, closing } = await startTwoInstances();

const address = "127.0.0.1";

async function kubernetesWith(...slices: readonly KubernetesEndpoints[]): Promise<object> {
  const kubernetes = createKubernetesSimulator({ services: { "shop/orders": slices } });
  closing.push(kubernetes.close);
  const { port } = await kubernetes.listen();
  return { Type: "Kube", Scheme: "http", Host: address, Port: port, Namespace: "shop" };
}

async function eurekaWith(status: "DOWN" | "STARTING" | "OUT_OF_SERVICE"): Promise<object> {
  const orders = [
    { hostName: address, port: a.port, status },
    { hostName: address, port: b.port },
  ];
  const eureka = createEurekaSimulator({ applications: { orders } });
  closing.push(eureka.close);
  const { port } = await eureka.listen();
  return { Type: "Eureka", Host: address, Port: port };
}

async function dnsWith(orders: DnsName): Promise<object> {
  const dns = await startDns({ orders });
  closing.push(dns.close);
  return { Type: "Dns", Host: address, Port: dns.port };
}

function slice({ port }: Upstream, more: Partial<KubernetesEndpoints> = {}): KubernetesEndpoints {
  return { addresses: [address], ports: [{ name: "http", port }], ...more };
}

function record({ port }: Upstream, priority: number) {
  return { target: address, port, priority, weight: 1 };
}

/** Where the other service runs that the registry tells of: nobody may find it there by another name. */
type Place = Readonly<{ host: string; port: number }>;

const registries: readonly Readonly<{ about: string; start: () => Promise<object>; place?: () => Place }>[] = [
  {
    about: "an endpoint of Kubernetes that is not ready",
    start: () => kubernetesWith(slice(a, { notReady: [address] }), slice(b)),
  },
  {
    about: "an endpoint of Kubernetes with an address of IPv6, where the service has some of IPv4",
    start: () => kubernetesWith(slice(a, { addressType: "IPv6", addresses: ["::1"] }), slice(b)),
    place: () => ({ host: "::1", port: a.port }),
  },
  { about: "an instance that is down in Eureka", start: () => eurekaWith("DOWN") },
  { about: "an instance that starts in Eureka", start: () => eurekaWith("STARTING") },
  { about: "an instance that is out of service in Eureka", start: () => eurekaWith("OUT_OF_SERVICE") },
  { about: "a record of DNS that stands by", start: () => dnsWith({ srv: [record(a, 2), record(b, 1)] }) },
];

describe("An instance takes no requests, and is reached by no other name of a locked service:", () => {
  test.each(registries)("$about", async ({ start, place = () => ({ host: address, port: a.port }) }) => {
    const origin = await startBeside(await start(), async (_service, update) => update([place()]));
    const answers: string[] = [];
    for (let count = 0; count < 3; count += 1) answers.push(await ask(`${origin}/routed/1`));
    expect(answers).toEqual(["b /1", "b /1", "b /1"]);
    expect([await ask(`${origin}/orders/1`), await ask(`${origin}/alias/1`)]).toEqual(["403", "404"]);
  });

  test("addresses of IPv6 that DNS has beside those of IPv4", async () => {
    const own = await dnsWith({ a: ["127.0.0.9"], aaaa: ["::1"] });
    const origin = await startBeside(own, async (_service, update) => update([{ host: "::1", port: 80 }]));
    expect([await ask(`${origin}/orders/1`), await ask(`${origin}/alias/1`)]).toEqual(["403", "404"]);
  });

  test("one of which a provider of one's own says so, wherever it stands in the list", async () => {
    let list: readonly FoundInstance[] = [];
    const at = ({ port }: Upstream, ready?: boolean): FoundInstance => ({ host: address, port, ready });
    for (list of [
      [at(a, false), at(b)],
      [at(b, true), at(a, false)],
      [at(a, false), at(b, false), at(b)],
    ]) {
      const origin = await startBeside(
        { Type: "Own" },
        async (_service, update) => update([{ host: address, port: a.port }]),
        async (_service, update) => update(list),
      );
      expect([await ask(`${origin}/routed/1`), await ask(`${origin}/routed/2`)]).toEqual(["b /1", "b /2"]);
      expect([await ask(`${origin}/orders/1`), await ask(`${origin}/alias/1`)]).toEqual(["403", "404"]);
    }
  });
});

test("A service of which no instance takes requests has none", async () => {
  const provider = await kubernetesWith(slice(a, { notReady: [address] }));
  const { origin, close } = await startGateway({
    Routes: [routeTo("orders")],
    GlobalConfiguration: { ServiceDiscoveryProvider: provider },
  });
  closing.push(close);
  expect(await ask(`${origin}/orders/1`)).toBe("503");
});

/** A gateway that has the service `orders` locked, and open on a route of its own; clients find others through a finder. */
async function startBeside(own: object, findOther: InstanceFinder, findOwn?: InstanceFinder): Promise<string> {
  const SecurityOptions = { IPBlockedList: [address] };
  const { origin, close } = await startGateway(
    {
      Routes: [routeTo("routed", { ServiceName: "orders", ServiceProvider: "own" })],
      DynamicRoutes: [{ ServiceName: "orders", ServiceProvider: "own", SecurityOptions }],
      GlobalConfiguration: {
        ServiceDiscoveryProvider: { Type: "Other", AllowAnyService: true },
        Providers: { own },
        DownstreamScheme: "http",
        LoadBalancerOptions: { Type: "RoundRobin" },
      },
    },
    { discovery: { Other: findOther, ...(findOwn === undefined ? {} : { Own: findOwn }) } },
  );
  closing.push(close);
  return origin;
}

async function ask(url: string): Promise<string> {
  const answer = await fetch(url);
  const text = await answer.text();
  return answer.ok ? text : String(answer.status);
}
