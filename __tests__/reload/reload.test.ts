import net, { type AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import { createGateway, type GatewayConfig, type GatewayOptions, parseConfig } from "../../src/index.ts";
import { ask, closeAll, createLogBook, createSignal, gatewayFor, routeTo, until, upstreamFor } from "./scene.ts";

afterEach(closeAll);

function parse(...routes: object[]): GatewayConfig {
  return parseConfig({ Routes: routes }, { logger: false });
}

describe("a reload", () => {
  test("routes by the new configuration, and tells what has changed", async () => {
    const { port } = await upstreamFor();
    const { origin, gateway } = await gatewayFor({
      Routes: [routeTo(port, "/kept"), routeTo(port, "/old"), routeTo(port, "/changed", { Key: "c" })],
    });
    const next = parse(
      routeTo(port, "/new", { UpstreamHttpMethod: ["Get"] }),
      routeTo(port, "/kept"),
      routeTo(port, "/moved", { Key: "c" }),
    );
    expect(await gateway.reload(next)).toEqual({ added: ["GET /new"], removed: ["/old"], changed: ["c"] });
    expect(await Promise.all(["/new", "/kept", "/moved"].map((path) => ask(origin, path)))).toEqual([
      "200 GET /new",
      "200 GET /kept",
      "200 GET /moved",
    ]);
    expect(await ask(origin, "/old")).toMatch(/^404/);
    expect([...gateway.routes].map(([id, { upstreamPathTemplate }]) => [id, upstreamPathTemplate])).toEqual([
      ["0", "/new"],
      ["1", "/kept"],
      ["c", "/moved"],
    ]);
  });

  test("lets a request under way finish on the route on which it began", async () => {
    const arrived = createSignal();
    const released = createSignal();
    const { port } = await upstreamFor(async (_req, res) => {
      arrived.give();
      await released.given;
      res.end("from the old upstream");
    });
    const other = await upstreamFor();
    const { origin, gateway } = await gatewayFor({ Routes: [routeTo(port, "/a")] });
    const answer = ask(origin, "/a");
    await arrived.given;
    await gateway.reload(parse(routeTo(other.port, "/a")));
    expect(await ask(origin, "/a")).toBe("200 GET /a");
    released.give();
    expect(await answer).toBe("200 from the old upstream");
  });

  test("lets a request that waits in middleware go on where it was matched", async () => {
    const waiting = createSignal();
    const released = createSignal();
    const { port } = await upstreamFor();
    const { origin, gateway } = await gatewayFor(
      { Routes: [routeTo(port, "/a", { Metadata: { version: "1" } })] },
      {
        middleware: [
          async (_req, res, next) => {
            waiting.give();
            await released.given;
            res.setHeader("x-version", res.locals.route.getMetadata("version", "string", ""));
            next();
          },
        ],
      },
    );
    const answer = fetch(`${origin}/a`);
    await waiting.given;
    await gateway.reload(parse(routeTo(port, "/b")));
    released.give();
    const { status, headers } = await answer;
    expect([status, headers.get("x-version")]).toEqual([200, "1"]);
  });

  test("serves requests while thousands of routes are compiled", async () => {
    const { port } = await upstreamFor();
    const { origin, gateway } = await gatewayFor({ Routes: [routeTo(port, "/a")] });
    const many = Array.from({ length: 3_000 }, (_, index) => routeTo(port, `/service-${index}/{id}`));
    const events: string[] = [];
    const reloaded = gateway.reload(parse(...many)).then(() => events.push("reloaded"));
    events.push(await ask(origin, "/a"));
    await reloaded;
    expect(events).toEqual(["200 GET /a", "reloaded"]);
  });

  test("waits for the one before, and the last one wins", async () => {
    const { port } = await upstreamFor();
    const { gateway } = await gatewayFor({ Routes: [routeTo(port, "/a")] });
    const changes = await Promise.all(
      ["/b", "/c", "/d"].map((path) => gateway.reload(parse(routeTo(port, path, { Key: path })))),
    );
    expect(changes.map(({ removed }) => removed)).toEqual([["/a"], ["/b"], ["/c"]]);
    expect([...gateway.routes.keys()]).toEqual(["/d"]);
  });

  test("logs what has changed", async () => {
    const { logger, lines } = createLogBook();
    const { gateway } = await gatewayFor({ Routes: [routeTo(1, "/a")] }, { logger });
    lines.length = 0;
    await gateway.reload(parse(routeTo(1, "/b"), routeTo(1, "/c")));
    expect(lines.at(-1)).toBe("info: The configuration was reloaded: 2 routes, 2 added, 1 removed, 0 changed.");
  });

  test("tells the responder again, before the routes are used", async () => {
    const started: string[][] = [];
    const responder = Object.assign(
      (_upstream: unknown, _context: unknown, respond: () => Promise<void>) => respond(),
      {
        started: ({ routes }: { routes: ReadonlyMap<string, unknown> }) => void started.push([...routes.keys()]),
      },
    );
    const { gateway } = await gatewayFor({ Routes: [routeTo(1, "/a", { Key: "a" })] }, { responder });
    await gateway.reload(parse(routeTo(1, "/b", { Key: "b" })));
    expect(started).toEqual([["a"], ["b"]]);
  });

  test("takes the limit of all requests from the new configuration", async () => {
    const arrived = createSignal();
    const released = createSignal();
    const { port } = await upstreamFor(async (_req, res) => {
      arrived.give();
      await released.given;
      res.end();
    });
    const { origin, gateway } = await gatewayFor({ Routes: [routeTo(port, "/a")] });
    const first = ask(origin, "/a");
    await arrived.given;
    const limited = { Routes: [routeTo(port, "/a")], GlobalConfiguration: { Limits: { Concurrent: 1 } } };
    expect(await gateway.reload(parseConfig(limited, { logger: false }))).toMatchObject({ changed: [] });
    expect(await ask(origin, "/a")).toMatch(/^503/);
    released.give();
    await first;
  });
});

describe("a route that stays as it is", () => {
  test.each([
    ["where it was", 0],
    ["at another index", 1],
  ])("%s goes on with the turn among its hosts", async (_where, index) => {
    const upstreams = await Promise.all(["one", "two"].map((name) => upstreamFor((_req, res) => void res.end(name))));
    const route = {
      ...routeTo(0, "/a"),
      DownstreamHostAndPorts: upstreams.map(({ port }) => ({ Host: "127.0.0.1", Port: port })),
      LoadBalancerOptions: { Type: "RoundRobin" },
    };
    const { origin, gateway } = await gatewayFor({ Routes: [route] });
    expect(await ask(origin, "/a")).toBe("200 one");
    const routes = index === 0 ? [route] : [routeTo(1, "/first"), route];
    await gateway.reload(parse(...routes));
    expect(await ask(origin, "/a")).toBe("200 two");
    expect([...gateway.routes.keys()]).toEqual(routes.map((_route, at) => String(at)));
  });

  test("is the same object, so that what was computed for it is still there", async () => {
    const { gateway } = await gatewayFor({ Routes: [routeTo(1, "/a")] });
    const before = gateway.routes.get("0");
    await gateway.reload(parse(routeTo(1, "/a"), routeTo(1, "/b")));
    expect(gateway.routes.get("0")).toBe(before);
  });
});

describe("what a route counts", () => {
  const rows: readonly [string, object][] = [
    ["unchanged", {}],
    ["changed", { Timeout: 5 }],
    ["moved to another index", { before: true }],
  ];

  test.each(rows)("goes on when it is %s", async (_how, { before, ...more }: { before?: boolean }) => {
    const arrived = createSignal();
    const released = createSignal();
    const { port } = await upstreamFor(async (_req, res) => {
      arrived.give();
      await released.given;
      res.end();
    });
    const limited = { Limits: { Concurrent: 1 } };
    const { origin, gateway } = await gatewayFor({ Routes: [routeTo(port, "/a", limited)] });
    const first = ask(origin, "/a");
    await arrived.given;
    const route = routeTo(port, "/a", { ...limited, ...more });
    await gateway.reload(before === true ? parse(routeTo(port, "/first"), route) : parse(route));
    expect(await ask(origin, "/a")).toMatch(/^503/);
    released.give();
    expect(await first).toBe("200 ");
    await until(() => gateway.health().running === 0);
    expect(await ask(origin, "/a")).toBe("200 ");
  });
});

describe("a reload is refused", () => {
  const options: GatewayOptions = { metadata: { retries: "int" } };

  const rows: readonly [reason: string, config: () => GatewayConfig, code: string][] = [
    ["to no routes, which is seldom meant", () => parse(), "reload-without-routes"],
    [
      "with metadata that does not fit",
      () => parse(routeTo(1, "/b", { Metadata: { retries: "x" } })),
      "config-invalid",
    ],
    [
      "with certificates that are not there",
      () => parse(routeTo(1, "/b", { Tls: { Ca: "no.pem" } })),
      "config-invalid",
    ],
    ["to something that was not parsed", () => ({ routes: [] }) as unknown as GatewayConfig, "not-a-config"],
  ];

  test.each(rows)("%s, and the last good one stays", async (_reason, config, code) => {
    const { port } = await upstreamFor();
    const { logger, lines } = createLogBook();
    const { origin, gateway } = await gatewayFor({ Routes: [routeTo(port, "/a")] }, { ...options, logger });
    await expect(gateway.reload(config())).rejects.toMatchObject({ code });
    expect(await ask(origin, "/a")).toBe("200 GET /a");
    expect(lines.at(-1)).toMatch(/^error: The configuration was not reloaded, the one before stays in force\. \S/);
    expect(gateway.health().lastFailure).toMatchObject({ error: { code } });
  });

  test("but not to no routes where that is allowed", async () => {
    const { gateway } = await gatewayFor({ Routes: [routeTo(1, "/a")] });
    expect(await gateway.reload(parse(), { allowNoRoutes: true })).toMatchObject({ removed: ["/a"] });
    expect(gateway.routes.size).toBe(0);
  });

  test("after the gateway was closed", async () => {
    const gateway = createGateway(parse(routeTo(1, "/a")), { logger: false });
    await gateway.close();
    await expect(gateway.reload(parse(routeTo(1, "/b")))).rejects.toMatchObject({ code: "closing" });
  });

  test("as the gateway is closed meanwhile, and opens nothing any more", async () => {
    let connections = 0;
    const redis = net.createServer((socket) => ((connections += 1), socket.destroy()));
    const { port } = await new Promise<AddressInfo>((resolve) => {
      redis.listen(0, "127.0.0.1", () => resolve(redis.address() as AddressInfo));
    });
    const gateway = createGateway(parse(routeTo(1, "/a")), { logger: false });
    const Redis = { Url: `redis://127.0.0.1:${port}` };
    const next = parseConfig({ Routes: [routeTo(1, "/b")], GlobalConfiguration: { Redis } }, { logger: false });
    const reloading = gateway.reload(next);
    // By then it has begun, and prepares the configuration in slices.
    await new Promise((resolve) => process.nextTick(resolve));
    await gateway.close();
    await expect(reloading).rejects.toMatchObject({ code: "closing" });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([connections, gateway.routes.size]).toEqual([0, 1]);
    redis.close();
  });

  test("without getting in the way of the next one", async () => {
    const { gateway } = await gatewayFor({ Routes: [routeTo(1, "/a")] });
    const refused = gateway.reload(parse());
    const accepted = gateway.reload(parse(routeTo(1, "/b")));
    await expect(refused).rejects.toMatchObject({ code: "reload-without-routes" });
    expect(await accepted).toMatchObject({ added: ["/b"] });
    expect(gateway.health().lastFailure).toBeUndefined();
  });
});

describe("health", () => {
  test("tells how the gateway is doing", async () => {
    const arrived = createSignal();
    const released = createSignal();
    const { port } = await upstreamFor(async (_req, res) => {
      arrived.give();
      await released.given;
      res.end();
    });
    const { origin, gateway } = await gatewayFor({ Routes: [routeTo(port, "/a"), routeTo(port, "/b")] });
    const idle = { status: "ready", routes: 2, running: 0, sockets: 0, lastFailure: undefined, degraded: [] };
    expect(gateway.health()).toEqual({ ...idle, loadedAt: expect.any(Date) });
    const answer = ask(origin, "/a");
    await arrived.given;
    expect(gateway.health()).toMatchObject({ running: 1 });
    const { loadedAt } = gateway.health();
    await gateway.reload(parse(routeTo(port, "/c")));
    expect(gateway.health()).toMatchObject({ routes: 1, running: 1 });
    expect(gateway.health().loadedAt.getTime()).toBeGreaterThanOrEqual(loadedAt.getTime());
    expect(gateway.health().loadedAt).not.toBe(loadedAt);
    const closed = gateway.close();
    expect(gateway.health()).toMatchObject({ status: "closing" });
    released.give();
    await Promise.all([answer, closed]);
  });
});
