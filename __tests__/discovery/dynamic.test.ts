import { describe, expect, jest, test } from "@jest/globals";
import { type Instance, type InstanceFinder, parseConfig } from "../../src/index.ts";
import { createKubernetesSimulator } from "../../src/simulator/index.ts";
import { startDns } from "../helpers/start-dns.ts";
import { hurryUntil } from "../helpers/hurry.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import type { Upstream } from "../helpers/start-upstream.ts";
import { eventually, startConsul } from "./instances.ts";
import { a, b, closing, fakeTime, startTable } from "./start-table.ts";

async function dynamicGateway(
  config: Readonly<{ Routes?: object[]; DynamicRoutes?: object[] }>,
  provider: object = {},
  global: object = {},
) {
  const at = ({ port }: Upstream) => [{ address: "127.0.0.1", port }];
  const consul = await startConsul({ orders: at(a), parts: at(b) });
  // Also where the gateway does not start.
  closing.push(consul.close);
  const { origin, gateway, close } = await startGateway({
    ...config,
    GlobalConfiguration: { ServiceDiscoveryProvider: { ...consul.provider, ...provider }, ...global },
  });
  closing.push(close);
  return {
    consul,
    gateway,
    ask: async (path: string): Promise<string> => {
      const answer = await fetch(origin + path);
      const text = await answer.text();
      return answer.ok ? text : String(answer.status);
    },
  };
}

const written = {
  DownstreamPathTemplate: "/written",
  DownstreamScheme: "http",
};

describe("Services that are listed in DynamicRoutes", () => {
  const paths: readonly Readonly<{ path: string; reason: string; expected: string }>[] = [
    { path: "/orders/1?q=2", reason: "the rest is the path", expected: "a /1?q=2" },
    { path: "/orders", reason: "nothing behind the name is the root", expected: "a /" },
    { path: "/orders/", reason: "so is a slash", expected: "a /" },
    { path: "/orders//x", reason: "slashes stay", expected: "a //x" },
    { path: "/Orders/1", reason: "letters count", expected: "404" },
    { path: "/parts/1", reason: "what is not listed is not there, though the registry knows it", expected: "404" },
    { path: "/shop.orders/1", reason: "a service without namespace is not one with it", expected: "404" },
    { path: "/", reason: "no name is no service", expected: "404" },
  ];

  test("each request gets its own path, and nothing else is reachable", async () => {
    const { ask, gateway } = await dynamicGateway({ DynamicRoutes: [{ ServiceName: "orders" }] });
    const answers = [];
    for (const { path } of paths) answers.push(await ask(path));
    expect(answers).toEqual(paths.map(({ expected }) => expected));
    expect([...gateway.routes.keys()]).toEqual(["dynamic-orders"]);
  });

  test("they stand behind written routes", async () => {
    const Routes = [
      {
        ...written,
        DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: b.port }],
        UpstreamPathTemplate: "/orders/own",
      },
    ];
    const { ask } = await dynamicGateway({ Routes, DynamicRoutes: [{ ServiceName: "orders" }] });
    expect([await ask("/orders/own"), await ask("/orders/other")]).toEqual(["b /written", "a /other"]);
  });

  test("what an entry says counts as on a route", async () => {
    const DynamicRoutes = [
      { ServiceName: "orders", RateLimitOptions: { Limit: 1, Period: "1h" } },
      { ServiceName: "parts", SecurityOptions: { IPBlockedList: ["127.0.0.1"] } },
    ];
    const { ask } = await dynamicGateway({ DynamicRoutes });
    expect([await ask("/orders/1"), await ask("/orders/2"), await ask("/parts/1")]).toEqual(["a /1", "429", "403"]);
  });
});

const spellings: readonly Readonly<{ path: string; reason: string; expected: string }>[] = [
  { path: "/ORDERS/1", reason: "Consul finds a name in any letters", expected: "404" },
  { path: "/any.orders/1", reason: "Consul knows no namespaces", expected: "404" },
  { path: "/.orders/1", reason: "an empty namespace is none", expected: "404" },
  { path: "/parts/1", reason: "it is another service", expected: "b /1" },
  { path: "/PARTS/2", reason: "its count is that of its other spellings", expected: "429" },
  { path: "/other.parts/3", reason: "this, too", expected: "429" },
  { path: "/orders/1", reason: "by its own name it has what its entry says", expected: "403" },
];

test("No other spelling of a service's name gets past what is written for it, nor past its counts", async () => {
  const { ask } = await dynamicGateway(
    { DynamicRoutes: [{ ServiceName: "orders", SecurityOptions: { IPBlockedList: ["127.0.0.1"] } }] },
    { AllowAnyService: true },
    { RateLimitOptions: { Limit: 1, Period: "1h" } },
  );
  const answers = [];
  for (const { path } of spellings) answers.push(await ask(path));
  expect(answers).toEqual(spellings.map(({ expected }) => expected));
});

describe("A service that an entry lists through a provider of its own is reached by the entry alone:", () => {
  const SecurityOptions = { IPBlockedList: ["127.0.0.1"] };
  const address = "127.0.0.1";
  const locked = (entry: object): object[] => [{ ServiceName: "orders", SecurityOptions, ...entry }];
  const at = ({ port }: Upstream) => ({ address, port });

  async function statusesOf(
    paths: readonly string[],
    { entry, usual, own }: Readonly<{ entry: object; usual: object; own: object }>,
  ): Promise<readonly number[]> {
    const { origin, close } = await startGateway({
      DynamicRoutes: locked({ ServiceProvider: "own", ...entry }),
      GlobalConfiguration: { ServiceDiscoveryProvider: { ...usual, AllowAnyService: true }, Providers: { own } },
    });
    closing.push(close);
    const statuses: number[] = [];
    for (const path of paths) statuses.push((await fetch(origin + path)).status);
    return statuses;
  }

  test("Consul that is written twice", async () => {
    const { provider: usual, close } = await startConsul({ orders: [at(a)], parts: [at(b)] });
    closing.push(close);
    const paths = ["/orders/1", "/ORDERS/1", "/any.orders/1", "/parts/1"];
    const statuses = await statusesOf(paths, { entry: {}, usual, own: { ...usual, Type: "PollConsul" } });
    expect(statuses).toEqual([403, 404, 404, 200]);
  });

  test("Kubernetes, whose namespaces the providers say", async () => {
    const kubernetes = createKubernetesSimulator();
    closing.push(kubernetes.close);
    const { port } = await kubernetes.listen();
    const slice = ({ port }: Upstream) => [{ addresses: [address], ports: [{ name: "http", port }] }];
    kubernetes.setSlices("prod/orders", slice(a));
    kubernetes.setSlices("dev/orders", slice(b));
    const usual = { Type: "PollKube", Scheme: "http", Host: address, Port: port, Namespace: "dev" };
    const paths = ["/orders/1", "/prod.orders/1", "/dev.orders/1"];
    const statuses = await statusesOf(paths, { entry: {}, usual, own: { ...usual, Namespace: "prod" } });
    expect(statuses).toEqual([403, 404, 200]);
  });

  test("DNS, with the names of ports and instances below that of the service", async () => {
    const srv = ({ port }: Upstream) => ({ srv: [{ target: address, port, priority: 1, weight: 1 }] });
    // Each at another place than the listed one: names alone show what is the same.
    const others = ["_http._tcp.orders", "node-1.orders", "parts"].map((name) => [`${name}.example.org`, srv(b)]);
    const dns = await startDns({ "orders.example.org": srv(a), ...Object.fromEntries(others) });
    closing.push(dns.close);
    const usual = { Type: "Dns", Host: address, Port: dns.port };
    const names = ["orders", "Orders", "_http._tcp.orders", "node-1.orders", "parts"];
    const paths = names.map((name) => `/${name}.example.org/1`);
    const other = await startDns({ "_http._tcp.orders.example.org": srv(a) });
    closing.push(other.close);
    for (const [entry, own, statuses] of [
      ["orders.example.org", usual, [403, 404, 404, 404, 200]],
      ["_http._tcp.orders.example.org", { ...usual, Port: other.port }, [404, 404, 403, 404, 200]],
    ] as const) {
      expect(await statusesOf(paths, { entry: { ServiceName: entry }, usual, own })).toEqual(statuses);
    }
  });
});

describe("Instances of a service whose entry demands something count for none that is not listed", () => {
  const SecurityOptions = { IPBlockedList: ["127.0.0.1"] };

  /** A gateway whose entry asks one finder, and whose clients ask another one. */
  async function startFinders(findListed: InstanceFinder, findOther: InstanceFinder, more: object = {}) {
    const { origin, close } = await startGateway(
      {
        DynamicRoutes: [{ ServiceName: "orders", ServiceProvider: "own", SecurityOptions }],
        GlobalConfiguration: {
          ServiceDiscoveryProvider: { Type: "Other", AllowAnyService: true },
          Providers: { own: { Type: "Listed", PollingInterval: 20, ...more } },
        },
      },
      { discovery: { Listed: findListed, Other: findOther } },
    );
    closing.push(close);
    return async (path: string): Promise<string> => {
      const answer = await fetch(origin + path);
      return answer.ok ? answer.text() : String(answer.status);
    };
  }

  const aliases: InstanceFinder = async ({ name }, update) => {
    const both = [a, b].map(({ port }) => ({ host: "127.0.0.1", port }));
    update(name === "both" ? both : both.slice(0, 1));
  };

  test("whatever it is called, for as long as they are there", async () => {
    let listed: Instance[] = [{ host: "::ffff:127.0.0.1", port: a.port }];
    const ask = await startFinders(async (_service, update) => update(listed), aliases);
    expect([await ask("/orders/1"), await ask("/alias/1")]).toEqual(["403", "404"]);
    for (let count = 0; count < 4; count += 1) expect(await ask("/both/1")).toBe("b /1");
    listed = [{ host: "127.0.0.1", port: b.port }];
    expect(
      await eventually(
        () => ask("/both/2"),
        (answer) => answer === "a /2",
      ),
    ).toBe("a /2");
    expect([await ask("/both/2"), await ask("/alias/2")]).toEqual(["a /2", "a /2"]);
  });

  test("also while they are not told, until another place is", async () => {
    const tellOrders = Promise.withResolvers<(instances: readonly Instance[]) => void>();
    const ask = await startFinders((_service, update, signal) => {
      tellOrders.resolve(update);
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
    }, aliases);
    const tell = await tellOrders.promise;
    const [atA, atB] = [a, b].map(({ port }) => [{ host: "127.0.0.1", port }]);
    const elsewhere = [{ host: "127.0.0.2", port: 1 }];
    for (const [listed, expected] of [
      // As long as none was ever told, there is nothing to compare with.
      [[], "a /1"],
      [atA, "404"],
      // All of them fail their checks.
      [[], "404"],
      [[{ host: "no address", port: 1 }], "404"],
      [atB, "a /1"],
      [[], "a /1"],
      // One of two fails its checks: it is there all the same.
      [[...atB!, ...atA!], "404"],
      [atB, "404"],
      [atA, "404"],
      [[...atB!, ...elsewhere], "a /1"],
    ] as const) {
      tell(listed!);
      expect(await ask("/alias/1")).toBe(expected);
    }
    expect([await ask("/both/1"), await ask("/both/2")]).toEqual(["a /1", "a /2"]);
  });

  test("also where the listed one is told later", async () => {
    const first = Promise.withResolvers<void>();
    let hasAsked = false;
    const ask = await startFinders(
      async (_service, update) => {
        await first.promise;
        update([{ host: "127.0.0.1", port: a.port }]);
      },
      (service, update, signal) => {
        hasAsked = true;
        return aliases(service, update, signal);
      },
    );
    const answer = ask("/alias/1");
    const isEarly = await Promise.race([answer.then(() => true), new Promise((r) => setTimeout(() => r(false), 50))]);
    expect([isEarly, hasAsked]).toEqual([false, false]);
    first.resolve();
    expect(await answer).toBe("404");
  });

  const failures: readonly Readonly<{ how: string; fail: InstanceFinder }>[] = [
    {
      how: "fails",
      fail: async () => {
        throw new Error("Nobody can tell.");
      },
    },
    {
      how: "says nothing",
      fail: (_service, _update, signal) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined))),
    },
  ];

  test.each(failures)(
    "also where nobody can tell where it is, as its registry $how",
    async ({ fail }) => {
      fakeTime();
      const ask = await startFinders(fail, aliases);
      expect(await hurryUntil(ask("/alias/1"))).toBe("503");
      expect([await ask("/alias/1"), await ask("/both/1"), await ask("/orders/1")]).toEqual(["503", "503", "403"]);
    },
    30_000,
  );

  test("also where what was told of it is too old to count", async () => {
    let fails = false;
    const findListed: InstanceFinder = async (_service, update) => {
      if (fails) throw new Error("Nobody can tell.");
      update([{ host: "127.0.0.1", port: a.port }]);
    };
    const ask = await startFinders(findListed, aliases, { MaxStale: 1 });
    expect([await ask("/both/1"), await ask("/alias/1")]).toEqual(["b /1", "404"]);
    fails = true;
    await eventually(
      () => ask("/both/1"),
      (answer) => answer === "503",
    );
    expect([await ask("/both/1"), await ask("/alias/1")]).toEqual(["503", "503"]);
    fails = false;
    await eventually(
      () => ask("/both/1"),
      (answer) => answer !== "503",
    );
    expect([await ask("/both/1"), await ask("/alias/1")]).toEqual(["b /1", "404"]);
  }, 30_000);
});

test("A provider that clients ask for any service is not called unused", () => {
  const warnings: unknown[] = [];
  const warn = (fields: object): void => void warnings.push((fields as { code?: string }).code);
  const logger = { error: warn, warn, info: warn, debug: warn };
  const parse = (AllowAnyService: boolean): unknown =>
    parseConfig(
      {
        DynamicRoutes: [{ ServiceName: "orders", ServiceProvider: "own" }],
        GlobalConfiguration: {
          ServiceDiscoveryProvider: { Type: "Consul", AllowAnyService },
          Providers: { own: { Type: "Dns" } },
        },
      },
      { logger },
    );
  parse(true);
  expect(warnings).toEqual([]);
  parse(false);
  expect(warnings).toEqual(["provider-unused"]);
});

test("A provider of one's own tells names apart as they are written", async () => {
  const { origin, gateway, close } = await startGateway(
    { GlobalConfiguration: { ServiceDiscoveryProvider: { Type: "Table", AllowAnyService: true } } },
    {
      discovery: {
        Table: async ({ name, namespace }, update) => {
          update(name === "orders" && namespace === undefined ? [{ host: "127.0.0.1", port: a.port }] : []);
        },
      },
    },
  );
  closing.push(close);
  const answers = [];
  for (const name of ["orders", ".orders", "Orders", "shop.orders"]) {
    answers.push((await fetch(`${origin}/${name}/1`)).status);
  }
  expect(answers).toEqual([200, 200, 404, 404]);
  expect(gateway.routes.size).toBe(0);
});

describe("Services that nobody has listed", () => {
  test("are reachable only where the provider says so", async () => {
    const { ask, consul } = await dynamicGateway({}, { AllowAnyService: true });
    expect([await ask("/orders/1"), await ask("/parts/2?x"), await ask("/shop.parts/4")]).toEqual([
      "a /1",
      "b /2?x",
      "b /4",
    ]);
    expect(await ask("/nobody/1")).toBe("404");
    expect(await ask("/nobody/2")).toBe("404");
    expect(consul.requests().filter(({ url }) => url.includes("nobody"))).toHaveLength(1);
  });

  test("of an odd name are not asked for", async () => {
    const { ask, consul } = await dynamicGateway({}, { AllowAnyService: true });
    for (const name of ["a%2fb", "a b", "a$", "a..b", "-.", "..orders", "x".repeat(254), "%00", "shop."]) {
      expect(await ask(`/${name}/1`)).toBe("404");
    }
    expect(consul.requests()).toEqual([]);
  });

  test("have all global sections, whichever routes these are for", async () => {
    const SecurityOptions = { IPBlockedList: ["127.0.0.1"], RouteKeys: ["listed"] };
    const DynamicRoutes = [{ ServiceName: "orders", Key: "listed" }, { ServiceName: "stock" }];
    const { ask } = await dynamicGateway({ DynamicRoutes }, { AllowAnyService: true }, { SecurityOptions });
    expect([await ask("/orders/1"), await ask("/parts/1"), await ask("/stock/1")]).toEqual(["403", "403", "503"]);
  });

  test("are refused while nobody tells where they are, and found once somebody does", async () => {
    const { ask, consul } = await dynamicGateway({}, { AllowAnyService: true });
    consul.fault({ kind: "away" });
    const asking = ask("/orders/1");
    await eventually(consul.requests, ({ length }) => length > 0);
    consul.fault();
    expect(await asking).toBe("a /1");
  });

  test("keep the start from succeeding where what holds for all routes does not fit together", async () => {
    const start = (global: object): Promise<unknown> => dynamicGateway({}, { AllowAnyService: true }, global);
    await expect(start({ LoadBalancerOptions: { Type: "Dice" } })).rejects.toThrow('names "Dice"');
    const AuthenticationOptions = { AuthenticationProviderKeys: ["Nobody"] };
    await expect(start({ AuthenticationOptions })).rejects.toThrow('"Nobody"');
  });

  test("are followed until nobody has asked for them for ten minutes", async () => {
    jest.useFakeTimers({
      doNotFake: ["Date", "hrtime", "nextTick", "queueMicrotask", "setImmediate", "setTimeout", "clearTimeout"],
    });
    closing.push(async () => jest.useRealTimers());
    const { ask, consul } = await dynamicGateway({}, { AllowAnyService: true });
    const questions = (service: string, isFirst: boolean): number =>
      consul.requests().filter(({ url }) => url.includes(`/${service}?`) && url.includes("index") !== isFirst).length;
    for (const service of ["orders", "parts"]) {
      await ask(`/${service}/1`);
      await eventually(
        () => questions(service, false),
        (count) => count === 1,
      );
    }
    jest.advanceTimersByTime(570_000);
    expect(await ask("/parts/2")).toBe("b /2");
    jest.advanceTimersByTime(90_000);
    consul.setInstances("orders", [{ address: "127.0.0.1", port: b.port }]);
    consul.setInstances("parts", [{ address: "127.0.0.1", port: a.port }]);
    await eventually(
      () => questions("parts", false),
      (count) => count === 2,
    );
    expect(questions("orders", false)).toBe(1);
    expect([await ask("/orders/3"), await ask("/parts/3")]).toEqual(["b /3", "a /3"]);
    expect([questions("orders", true), questions("parts", true)]).toEqual([2, 1]);
  });

  test("are not asked for again for ten seconds once nobody could tell in time", async () => {
    fakeTime();
    const { open, asked, tell } = await startTable();
    const first = open("/late");
    while (asked("late") === 0) await new Promise(setImmediate);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await first).toBe(503);
    tell("late");
    const before = asked("late");
    await jest.advanceTimersByTimeAsync(9_000);
    expect([await open("/late"), asked("late")]).toEqual([503, before]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect([await open("/late"), asked("late")]).toEqual([200, before + 1]);
  });

  test("are not reachable beside written routes alone", async () => {
    const Routes = [{ ...written, UpstreamPathTemplate: "/own", ServiceName: "orders" }];
    const { ask } = await dynamicGateway({ Routes }, { AllowAnyService: true });
    expect([await ask("/own"), await ask("/parts/1")]).toEqual(["a /written", "404"]);
  });
});

test("A file with a provider and nothing that says which services are reachable does not start", () => {
  const config = { GlobalConfiguration: { ServiceDiscoveryProvider: { Type: "Consul" } } };
  expect(() => parseConfig(config, { logger: false })).toThrow('add "DynamicRoutes": [{ "ServiceName": "orders" }]');
});

test("An entry without a service stops the start", () => {
  const config = {
    DynamicRoutes: [{ Key: "a" }],
    GlobalConfiguration: { ServiceDiscoveryProvider: { Type: "Consul" } },
  };
  expect(() => parseConfig(config, { logger: false })).toThrow('expected "ServiceName"');
});
