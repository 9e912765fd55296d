import { Agent, createServer, type Server } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import express from "express";
import { createGateway, type Gateway, type GatewayOptions, parseConfig } from "../../src/index.ts";
import { isLong } from "../fuzz/bounds.ts";
import { engines } from "../helpers/engines.ts";
import { request } from "../helpers/send-raw.ts";
import { closeServer, listen, startUpstream, type Upstream } from "../helpers/start-upstream.ts";

let upstreams: readonly Upstream[] = [];
const ending: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const names = ["a", "b", "c", "d", "e"];
  upstreams = await Promise.all(names.map((name) => startUpstream((req, res) => (req.resume(), res.end(name)))));
});
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});
afterAll(() => Promise.all(upstreams.map(({ close }) => close())));

type Configured = Readonly<{
  ports?: readonly number[];
  small?: readonly number[];
  balancer?: object;
  route?: object;
  global?: object;
}>;

function configOf({ ports = upstreams.map(({ port }) => port), small = ports, balancer, route, global }: Configured) {
  const hosts = (some: readonly number[]) => some.map((Port) => ({ Host: "127.0.0.1", Port }));
  const shared = {
    DownstreamPathTemplate: "/",
    LoadBalancerOptions: { Type: "CookieStickySessions", Key: "shop", ...balancer },
    ...route,
  };
  const Routes = [
    { ...shared, UpstreamPathTemplate: "/shop/{rest}", DownstreamHostAndPorts: hosts(ports) },
    { ...shared, UpstreamPathTemplate: "/other/{rest}", DownstreamHostAndPorts: hosts(ports) },
    { ...shared, UpstreamPathTemplate: "/small/{rest}", DownstreamHostAndPorts: hosts(small) },
  ];
  return parseConfig({ Routes, GlobalConfiguration: { StickyKey: "of all gateways", ...global } }, { logger: false });
}

async function startGateway(configured: Configured = {}, options: GatewayOptions = {}) {
  const gateway = createGateway(configOf(configured), { logger: false, ...options });
  return { ...(await serve(gateway)), gateway };
}

async function serve(app: Parameters<typeof createServer>[1] & object, gateway = app as Gateway) {
  const server: Server = createServer(app);
  const port = await listen(server);
  ending.push(() => Promise.all([gateway.close({ grace: 0 }), closeServer(server)]));
  return { port };
}

const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

/** A browser: it keeps the cookies that it is given. */
class Client {
  readonly cookies = new Map<string, string>();
  told = "";

  async ask(port: number, path = "/shop/x", headers: Record<string, string> = {}): Promise<string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const sent = { ...(cookie === "" ? {} : { cookie }), ...headers };
    const answer = await request({ port, path, headers: sent, agent });
    this.told = (answer.headers["set-cookie"] ?? []).join("\n");
    for (const line of answer.headers["set-cookie"] ?? []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
    }
    return answer.status === 200 ? answer.body.toString() : String(answer.status);
  }
}

describe.each(engines)("Sticky sessions, with $name:", ({ create }) => {
  test("a client stays at its host, on every route with that host, and new ones take turns", async () => {
    const { port } = await startGateway({}, { engine: create() });
    const [one, other] = [new Client(), new Client()];
    expect([await one.ask(port), await other.ask(port)]).toEqual(["a", "b"]);
    const again = [await other.ask(port), await one.ask(port, "/other/x"), await other.ask(port, "/other/y")];
    expect(again).toEqual(["b", "a", "b"]);
    expect(one.told).toBe("");
  });

  test("the downstream gets the client's cookies without the gateway's", async () => {
    const { port } = await startGateway({}, { engine: create() });
    const client = new Client();
    await client.ask(port);
    client.cookies.set("theme", "dark");
    const [at] = [upstreams[0]!];
    at.requests.length = 0;
    await client.ask(port);
    client.cookies.delete("theme");
    await client.ask(port);
    expect(at.requests.map(({ headers }) => headers.cookie)).toEqual(["theme=dark", undefined]);
  });
});

test.each(engines)(
  "with $name, a client moves where its host fails, and tries it out when it may",
  async ({ create }) => {
    let does = 200;
    const failing = await startUpstream((req, res) => (req.resume(), res.writeHead(does).end("failing")));
    ending.push(() => failing.close());
    const clock = { now: 0 };
    const ports = [failing.port, ...upstreams.slice(1, 3).map(({ port }) => port)];
    const route = { Retry: { Count: 1 }, QoSOptions: { MinimumThroughput: 1, BreakDuration: 1_000 } };
    const { port } = await startGateway({ ports, route }, { engine: create(), now: () => clock.now });
    const [client, other] = [new Client(), new Client()];
    const seen = [await client.ask(port)];
    const atFirst = client.cookies.get("shop.host")!;
    other.cookies.set("shop.host", atFirst);
    does = 503;
    // The other one is sent elsewhere at once: the host is left alone by then.
    seen.push(await client.ask(port), await client.ask(port), await other.ask(port));
    expect([seen, failing.requests.length]).toEqual([["failing", "b", "b", "c"], 2]);
    expect(other.cookies.get("shop.host")).toBe(`${other.cookies.get("shop.host")!.slice(0, 4)}${atFirst}`);

    does = 200;
    clock.now = 1_001;
    other.cookies.set("shop.host", atFirst);
    expect([await other.ask(port), other.told]).toEqual(["failing", ""]);
  },
);

test("of many clients over five hosts and three gateways each stays where it is as long as its host is there", async () => {
  const all = upstreams.map(({ port }) => port);
  const gateways = await Promise.all(Array.from({ length: 3 }, () => startGateway()));
  const clients = Array.from({ length: isLong ? 1_000 : 200 }, () => new Client());
  const places = new Map<Client, string>();
  const names = ["a", "b", "c", "d", "e"];
  const moved: string[] = [];
  // Hosts go and come back, also several at once.
  const rounds = [
    [0, 1, 2, 3, 4],
    [0, 1, 2, 3],
    [1, 2],
    [2, 3, 4],
    [0, 1, 2, 3, 4],
  ];
  for (const [round, present] of rounds.entries()) {
    const ports = present.map((index) => all[index]!);
    await Promise.all(gateways.map(({ gateway }) => gateway.reload(configOf({ ports }))));
    for (let begin = 0; begin < clients.length; begin += 50) {
      await Promise.all(
        clients.slice(begin, begin + 50).map(async (client, index) => {
          const host = await client.ask(gateways[(begin + index + round) % 3]!.port);
          const before = places.get(client);
          if (before !== undefined && before !== host && present.includes(names.indexOf(before))) {
            moved.push(`${before} to ${host} in round ${round}`);
          }
          places.set(client, host);
        }),
      );
    }
    if (round === 0) expect(new Set(places.values()).size).toBe(5);
  }
  expect(moved).toEqual([]);
}, 60_000);

describe("What clients send", () => {
  test.each([
    ["nothing that has the form", "shop.host="],
    ["letters", "shop.host=zzzz"],
    ["a host", "shop.host=http://127.0.0.1:22"],
    ["nine marks", `shop.host=${"0123".repeat(9)}`],
    ["too few digits", "shop.host=123"],
    ["very much", `shop.host=${"0123".repeat(2_000)}`],
    ["very many", Array.from({ length: 500 }, () => "shop.host=0123").join("; ")],
    ["a time beyond all", "shop.host=0123.zzzzzzzz"],
    ["another name", "SHOP.HOST=0123"],
  ])("%s: is as if there were no cookie", async (_name, cookie) => {
    const { port } = await startGateway();
    const answers = [];
    for (let count = 0; count < 3; count += 1) answers.push(await new Client().ask(port, "/shop/x", { cookie }));
    expect(answers).toEqual(["a", "b", "c"]);
  });

  test("a mark that is made up chooses among the hosts at most, whichever it is", async () => {
    const { port } = await startGateway();
    const answers = new Set<string>();
    for (let mark = 0; mark < 300; mark += 1) {
      const hex = (mark * 217).toString(16).padStart(4, "0");
      answers.add(await new Client().ask(port, "/shop/x", { cookie: `shop.host=${hex}` }));
    }
    expect([...answers].sort()).toEqual(["a", "b", "c", "d", "e"]);
  });

  test("a cookie of another key says nothing", async () => {
    const [one, other] = [await startGateway(), await startGateway({ global: { StickyKey: "another" } })];
    const client = new Client();
    await client.ask(one.port);
    const before = client.cookies.get("shop.host");
    await client.ask(other.port);
    expect(client.told).toMatch(new RegExp(`^shop\\.host=[0-9a-f]{4}${before};`));
  });
});

test("routes with other hosts keep a place each in one cookie, eight at most", async () => {
  const all = upstreams.map((upstream) => upstream.port);
  const { port } = await startGateway({ ports: all.slice(0, 3), small: all.slice(3) });
  const client = new Client();
  expect([await client.ask(port), await client.ask(port, "/small/x"), await client.ask(port)]).toEqual(["a", "d", "a"]);
  expect(client.cookies.get("shop.host")).toMatch(/^[\da-f]{8}$/);
  expect([await client.ask(port, "/small/y"), await client.ask(port)]).toEqual(["d", "a"]);
  const full = new Client();
  full.cookies.set("shop.host", "0001".repeat(8));
  await full.ask(port);
  expect(full.cookies.get("shop.host")).toMatch(/^[\da-f]{4}(0001){7}$/);
});

test("a host that refuses is left for another one, at which the client stays", async () => {
  const dying = await startUpstream((req, res) => (req.resume(), res.end("dying")));
  const { port } = await startGateway({ ports: [dying.port, upstreams[0]!.port, upstreams[1]!.port] });
  const client = new Client();
  expect(await client.ask(port)).toBe("dying");
  await dying.close();
  const moved = await client.ask(port);
  expect(["a", "b"]).toContain(moved);
  expect([await client.ask(port), await client.ask(port), client.told]).toEqual([moved, moved, ""]);
});

describe("The cookie", () => {
  type Row = Readonly<{ reason: string; configured?: Configured; mount?: string; https?: boolean; cookie: RegExp }>;
  const rows: readonly Row[] = [
    { reason: "lasts as long as the browser", cookie: /^shop\.host=[\da-f]{4}; Path=\/; HttpOnly; SameSite=Lax$/ },
    {
      reason: "lasts as long as Expiry says",
      configured: { balancer: { Expiry: 90_000 } },
      cookie: /^shop\.host=[\da-f]{4}\.[\da-z]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=90$/,
    },
    { reason: "-1 is no end", configured: { balancer: { Expiry: -1 } }, cookie: /SameSite=Lax$/ },
    { reason: "0 is what tools write for nothing", configured: { balancer: { Expiry: 0 } }, cookie: /SameSite=Lax$/ },
    {
      reason: "has Ocelot's usual name",
      configured: { balancer: { Key: undefined } },
      cookie: /^\.AspNetCore\.Session\.host=/,
    },
    { reason: "goes with https only, where the client came by it", https: true, cookie: /SameSite=Lax; Secure$/ },
    { reason: "is for the path of the mount", mount: "/gw", cookie: /; Path=\/gw; / },
    { reason: "lets no mount path begin an attribute", mount: "/gw;Domain=example.org", cookie: /; Path=\/; H/ },
  ];

  test.each(rows)("$reason", async ({ configured = {}, mount, https = false, cookie }) => {
    const gateway = createGateway(configOf(configured), { logger: false, trustProxy: true });
    const { port } = await serve(express().use(mount === undefined ? "/" : "/:mount", gateway), gateway);
    const client = new Client();
    await client.ask(port, `${mount ?? ""}/shop/x`, https ? { "x-forwarded-proto": "https" } : {});
    expect(client.told).toMatch(cookie);
  });

  test("is renewed when half of its time is over, and says nothing when all of it is", async () => {
    const { port } = await startGateway({ balancer: { Expiry: 600_000 } });
    const client = new Client();
    expect(await client.ask(port)).toBe("a");
    const [mark] = client.cookies.get("shop.host")!.split(".");
    const since = (seconds: number): string => `${mark}.${(Math.floor(Date.now() / 1_000) - seconds).toString(36)}`;
    const seen = [];
    for (const seconds of [0, 250, 350, 590, 700]) {
      client.cookies.set("shop.host", since(seconds));
      seen.push([seconds, await client.ask(port), client.told !== ""]);
    }
    expect(seen).toEqual([
      [0, "a", false],
      [250, "a", false],
      [350, "a", true],
      [590, "a", true],
      [700, "b", true],
    ]);
  });

  test("lasts for all of its time, which may have begun late in a second", async () => {
    const { port } = await startGateway({ balancer: { Expiry: 600_000 } });
    const client = new Client();
    await client.ask(port);
    const [mark] = client.cookies.get("shop.host")!.split(".");
    const present = (): number => Math.floor(Date.now() / 1_000);
    let second: number;
    let host: string;
    do {
      second = present();
      client.cookies.set("shop.host", `${mark}.${(second - 600).toString(36)}`);
      host = await client.ask(port);
    } while (present() !== second);
    expect(host).toBe("a");
  });

  test("comes with no error of the gateway, and beside those of the downstream", async () => {
    const setting = await startUpstream((req, res) => (req.resume(), res.setHeader("set-cookie", "s=1").end("set")));
    ending.push(() => setting.close());
    const { port } = await startGateway({ ports: [setting.port, setting.port] });
    const client = new Client();
    await client.ask(port);
    expect([...client.cookies.keys()].sort()).toEqual(["s", "shop.host"]);
  });

  test("says nothing of a host that a handler has chosen", async () => {
    const other = upstreams[4]!;
    const handlers: GatewayOptions["handlers"] = [
      (outgoing, next) => {
        outgoing.origin = other.origin;
        return next();
      },
    ];
    const { port } = await startGateway({ ports: upstreams.slice(0, 2).map((one) => one.port) }, { handlers });
    const client = new Client();
    expect([await client.ask(port), client.told]).toEqual(["e", ""]);
  });
});

test.each([
  ["a name with a blank", { Key: "my session" }],
  ["a name that ends another attribute", { Key: "a;b" }],
  ["a time before the present", { Expiry: -2 }],
])("%s stops the start", (_name, balancer) => {
  expect(() => configOf({ balancer })).toThrow(/sticky-sessions-invalid/);
});
