import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { findLostLock } from "../../src/operating/refuse-lost-locks.ts";
import { parseConfig } from "../../src/index.ts";
import { runAtOnce } from "../../src/time-slices.ts";
import { runCommand } from "./run-waymark.ts";

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "waymark-diff-"));
});
afterAll(() => rm(cwd, { recursive: true }));

const consul = { ServiceDiscoveryProvider: { Type: "Consul", Host: "consul.internal" } };
const any = { ServiceDiscoveryProvider: { ...consul.ServiceDiscoveryProvider, AllowAnyService: true } };
const schemes = {
  AuthenticationSchemes: { Bearer: { Type: "Jwt", Issuer: "https://login.example.org", Audience: "api" } },
};
const lock = { AuthenticationOptions: { AuthenticationProviderKeys: ["Bearer"] } };
const limit = (count: number) => ({ RateLimitOptions: { Limit: count, Period: "1m" } });

function route(key: string, more: object = {}): object {
  const DownstreamHostAndPorts = [{ Host: "h.internal" }];
  return {
    Key: key,
    UpstreamPathTemplate: `/${key}/{id}`,
    DownstreamPathTemplate: "/{id}",
    DownstreamHostAndPorts,
    ...more,
  };
}

const toRoot = { DownstreamPathTemplate: "/" };

type Row = Readonly<{ why: string; before: object; after: object; told: readonly string[]; lost: string | undefined }>;

const rows: readonly Row[] = [
  {
    why: "what a key means to a route, whatever it is",
    before: { Routes: [route("a", { ...limit(5), CacheOptions: { TtlSeconds: 9 } })] },
    after: { Routes: [route("a", { ...limit(9), Retry: { Count: 2 } })] },
    told: [
      "  ~ a: CacheOptions, RateLimitOptions, Retry",
      "      how often: 5 per 1m for each Oc-Client → 9 per 1m for each Oc-Client\n",
      "      cached: no longer 9 s",
      "      sent again: now 2 times at most",
    ],
    lost: "a RateLimitOptions",
  },
  {
    why: "a section for all routes that is for one of them",
    before: { Routes: [route("a"), route("b")] },
    after: {
      Routes: [route("a"), route("b")],
      GlobalConfiguration: { CacheOptions: { TtlSeconds: 9, RouteKeys: ["b"] } },
    },
    told: ["1 route changed\n  ~ b: GlobalConfiguration.CacheOptions\n      cached: now 9 s"],
    lost: undefined,
  },
  {
    why: "a lock that opens",
    before: { Routes: [route("a", lock)], GlobalConfiguration: schemes },
    after: { Routes: [route("a")], GlobalConfiguration: schemes },
    told: ["      who may come in: Bearer → anybody", "1 lock opens\n  ! a: without AuthenticationOptions"],
    lost: "a requirement",
  },
  {
    why: "a lock that opens as another route takes the requests",
    before: { Routes: [route("a", limit(5)), route("b", { UpstreamPathTemplate: "/{id}" })] },
    after: { Routes: [route("b", { UpstreamPathTemplate: "/{id}" })] },
    told: ["  - a\n", "1 lock opens\n  ! a: its requests go to b, without RateLimitOptions"],
    lost: "a RateLimitOptions",
  },
  {
    why: "a lock that opens for one of several methods",
    before: {
      Routes: [
        route("a", { ...limit(5), UpstreamHttpMethod: ["Get", "Delete"] }),
        route("b", { UpstreamPathTemplate: "/{id}", UpstreamHttpMethod: ["Delete"] }),
      ],
    },
    after: { Routes: [route("b", { UpstreamPathTemplate: "/{id}", UpstreamHttpMethod: ["Delete"] })] },
    told: ["  ! a: some of its requests go to b, without RateLimitOptions"],
    lost: "a RateLimitOptions",
  },
  {
    why: "a lock that opens for a method that its route takes no more",
    before: {
      Routes: [
        route("a", { ...limit(5), UpstreamHttpMethod: ["Get", "Delete"] }),
        route("b", { UpstreamPathTemplate: "/{id}" }),
      ],
    },
    after: {
      Routes: [route("a", { ...limit(5), UpstreamHttpMethod: ["Get"] }), route("b", { UpstreamPathTemplate: "/{id}" })],
    },
    told: ["  ! a: some of its requests go to b, without RateLimitOptions"],
    lost: "a RateLimitOptions",
  },
  {
    why: "a lock that opens for a method that its route does not name",
    before: {
      Routes: [route("a", limit(5)), route("b", { UpstreamPathTemplate: "/{id}", UpstreamHttpMethod: ["Post"] })],
    },
    after: { Routes: [route("b", { UpstreamPathTemplate: "/{id}", UpstreamHttpMethod: ["Post"] })] },
    told: ["  ! a: some of its requests go to b, without RateLimitOptions"],
    lost: "a RateLimitOptions",
  },
  {
    why: "a lock that opens for some paths",
    before: {
      Routes: [route("a", { ...limit(5), Priority: 5 }), route("b", { UpstreamPathTemplate: "/{x}/users/{id}" })],
    },
    after: { Routes: [route("b", { UpstreamPathTemplate: "/{x}/users/{id}" })] },
    told: ["  ! a: some of its requests go to b, without RateLimitOptions"],
    lost: "a RateLimitOptions",
  },
  {
    why: "a lock that opens for some paths, as an open route is put before it",
    before: {
      Routes: [route("a", limit(5)), route("b", { UpstreamPathTemplate: "/{x}/users/{id}" })],
    },
    after: {
      Routes: [route("a", limit(5)), route("b", { UpstreamPathTemplate: "/{x}/users/{id}", Priority: 5 })],
    },
    told: ["  ! a: some of its requests go to b, without RateLimitOptions"],
    lost: "a RateLimitOptions",
  },
  {
    why: "a lock that opens for one host",
    before: {
      Routes: [
        route("a", { ...limit(5), UpstreamHost: "shop.example" }),
        route("b", { UpstreamPathTemplate: "/{id}", UpstreamHost: "shop.example:8080" }),
      ],
    },
    after: { Routes: [route("b", { UpstreamPathTemplate: "/{id}", UpstreamHost: "shop.example:8080" })] },
    told: ["  ! a: some of its requests go to b, without RateLimitOptions"],
    lost: "a RateLimitOptions",
  },
  {
    why: "a lock that opens for what has a header",
    before: {
      Routes: [
        route("a", limit(5)),
        route("b", { UpstreamPathTemplate: "/{id}", UpstreamHeaderTemplates: { "X-T": "1" }, Priority: 0 }),
      ],
    },
    after: { Routes: [route("b", { UpstreamPathTemplate: "/{id}", UpstreamHeaderTemplates: { "X-T": "1" } })] },
    told: ["  ! a: some of its requests go to b, without RateLimitOptions"],
    lost: "a RateLimitOptions",
  },
  {
    why: "a lock that opens for other letters",
    before: { Routes: [route("a", limit(5)), route("b", { UpstreamPathTemplate: "/{id}" })] },
    after: {
      Routes: [
        route("a2", { ...limit(5), UpstreamPathTemplate: "/a/{id}", RouteIsCaseSensitive: true }),
        route("b", { UpstreamPathTemplate: "/{id}" }),
      ],
    },
    told: ["  ! a: its requests go to b, without RateLimitOptions"],
    lost: "a RateLimitOptions",
  },
  {
    why: "a lock that opens for paths with a slash at their end",
    before: {
      Routes: [
        route("a", { ...limit(5), ...toRoot, UpstreamPathTemplate: "/a/" }),
        route("b", { UpstreamPathTemplate: "/{id}" }),
      ],
    },
    after: {
      Routes: [
        route("a2", { ...limit(5), ...toRoot, UpstreamPathTemplate: "/a" }),
        route("b", { UpstreamPathTemplate: "/{id}" }),
      ],
    },
    told: ["  ! a: its requests go to b, without RateLimitOptions"],
    lost: "a RateLimitOptions",
  },
  {
    why: "an open route that gets no more than before",
    before: {
      Routes: [
        route("b", { UpstreamPathTemplate: "/a/b", ...toRoot }),
        route("a", limit(5)),
        route("c", { UpstreamPathTemplate: "/a/{x}/c", UpstreamHttpMethod: ["Put"], ...toRoot }),
      ],
    },
    after: {
      Routes: [
        route("b2", { UpstreamPathTemplate: "/a/b", ...toRoot }),
        route("d", { UpstreamPathTemplate: "/c", ...toRoot }),
        route("a2", { ...limit(5), UpstreamPathTemplate: "/a/{y}", ...toRoot }),
        route("c", { UpstreamPathTemplate: "/a/{x}/c", UpstreamHttpMethod: ["Put"], ...toRoot }),
      ],
    },
    told: ["3 routes added"],
    lost: undefined,
  },
  {
    why: "an open route for what the locked one that is gone did not take",
    before: {
      Routes: [
        route("a", { ...limit(5), UpstreamHttpMethod: ["Get"], UpstreamHeaderTemplates: { "X-T": "1" } }),
        route("b", { UpstreamPathTemplate: "/a/{id}", UpstreamHeaderTemplates: { "X-T": "2" } }),
        route("c", { UpstreamPathTemplate: "/{id}", UpstreamHttpMethod: ["Post"] }),
      ],
    },
    after: {
      Routes: [
        route("b", { UpstreamPathTemplate: "/a/{id}", UpstreamHeaderTemplates: { "X-T": "2" } }),
        route("c", { UpstreamPathTemplate: "/{id}", UpstreamHttpMethod: ["Post"] }),
      ],
    },
    told: ["  - a"],
    lost: undefined,
  },
  {
    why: "a lock of all parts that opens for another method than the first",
    before: {
      Routes: [
        route("a", limit(5)),
        route("b", { UpstreamPathTemplate: "/{id}", UpstreamHttpMethod: ["Post"], Priority: 0 }),
      ],
      Aggregates: [{ UpstreamPathTemplate: "/page/{id}", UpstreamHttpMethod: ["Get", "Post"], RouteKeys: ["a"] }],
    },
    after: {
      Routes: [
        route("a", limit(5)),
        route("b", { UpstreamPathTemplate: "/{id}", UpstreamHttpMethod: ["Post"], Priority: 0 }),
      ],
    },
    told: ["  ! /page/{id}: some of its requests go to b, without RateLimitOptions"],
    lost: "/page/{id} RateLimitOptions of a",
  },
  {
    why: "a lock that opens as an aggregate is gone, and an open route takes its requests",
    before: {
      Routes: [route("a", limit(5)), route("b", { UpstreamPathTemplate: "/{id}" })],
      Aggregates: [{ Key: "page", UpstreamPathTemplate: "/page/{id}", RouteKeys: ["a"] }],
    },
    after: { Routes: [route("a", limit(5)), route("b", { UpstreamPathTemplate: "/{id}" })] },
    told: ["  - aggregate page\n", "  ! page: its requests go to b, without RateLimitOptions"],
    lost: "page RateLimitOptions of a",
  },
  {
    why: "what differs of an aggregate",
    before: {
      Routes: [route("a"), route("b")],
      Aggregates: [{ Key: "page", UpstreamPathTemplate: "/page/{id}", RouteKeys: ["a", "b"] }],
    },
    after: {
      Routes: [route("a"), route("b")],
      Aggregates: [{ Key: "page", UpstreamPathTemplate: "/page/{id}", RouteKeys: ["b", "a"], OnFailure: "Null" }],
    },
    told: [
      "  ~ aggregate page: OnFailure, RouteKeys\n",
      "      goes to: a and b → b and a",
      "one that cannot be asked is null",
    ],
    lost: undefined,
  },
  {
    why: "a listed service that loses its lock",
    before: { DynamicRoutes: [{ ServiceName: "orders", ...lock }], GlobalConfiguration: { ...consul, ...schemes } },
    after: { DynamicRoutes: [{ ServiceName: "orders" }], GlobalConfiguration: { ...consul, ...schemes } },
    told: [
      "  ~ /orders/{everything}: AuthenticationOptions",
      "  ! /orders/{everything}: without AuthenticationOptions",
    ],
    lost: "/orders/{everything} requirement",
  },
  {
    why: "a listed service that is listed no more, while any may be reached",
    before: {
      DynamicRoutes: [{ ServiceName: "orders", ...lock }, { ServiceName: "stock" }],
      GlobalConfiguration: { ...any, ...schemes },
    },
    after: { DynamicRoutes: [{ ServiceName: "stock" }], GlobalConfiguration: { ...any, ...schemes } },
    told: ["  ! /orders/{everything}: its requests go to /orders/{everything}, without AuthenticationOptions"],
    lost: "/orders/{everything} requirement",
  },
  {
    why: "services that were shut",
    before: { DynamicRoutes: [{ ServiceName: "orders" }], GlobalConfiguration: consul },
    after: { DynamicRoutes: [{ ServiceName: "orders" }], GlobalConfiguration: any },
    told: ["  ! every service: without DynamicRoutes"],
    lost: "DynamicRoutes AllowAnyService",
  },
  {
    why: "a lock that is added opens nothing",
    before: { Routes: [route("a")], GlobalConfiguration: schemes },
    after: { Routes: [route("a", lock)], GlobalConfiguration: schemes },
    told: ["      who may come in: anybody → Bearer"],
    lost: undefined,
  },
];

async function write(name: string, value: object): Promise<string> {
  await mkdir(dirname(join(cwd, name)), { recursive: true });
  await writeFile(join(cwd, name), JSON.stringify(value));
  return name;
}

describe("waymark diff tells", () => {
  test.each(rows)("$why", async ({ before, after, told }) => {
    const files = [await write("before.json", before), await write("after.json", after)];
    const { code, stdout, stderr } = await runCommand(["diff", ...files], { cwd });
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    for (const words of told) expect(stdout).toContain(words);
    expect(/\d locks? opens?$/m.test(stdout)).toBe(told.some((words) => words.includes("!")));
  });

  test("what differs of two folders, and the same for programs", async () => {
    await write("old/ocelot.a.json", { Routes: [route("a", limit(5))] });
    await write("old/ocelot.global.json", { GlobalConfiguration: {} });
    await write("new/ocelot.a.json", { Routes: [route("a")] });
    await write("new/ocelot.b.json", { Routes: [route("b")] });
    const { stdout } = await runCommand(["diff", "old", "new", "--format", "json"], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({
      changes: { added: ["b"], removed: [], changed: ["a"] },
      changedKeys: [{ route: "a", keys: ["RateLimitOptions"], told: [{ title: "how often" }] }],
      opened: [{ route: "a", demands: ["RateLimitOptions"] }],
    });
  });
});

describe("a lock that a reload would lose is found", () => {
  test.each(rows)("$why", ({ before, after, lost }) => {
    const [one, other] = [before, after].map((written) => parseConfig(written, { logger: false }));
    const found = runAtOnce(findLostLock(one!, other!));
    expect(found && `${found.route} ${found.lock}`).toBe(lost);
  });
});
