import net from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import { createRetryBudget } from "../../src/capabilities/retry/retry-budget.ts";
import { createGateway, type GatewayOptions, parseConfig, type RequestRecord } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { holdDeadPort } from "../helpers/hold-dead-port.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { request } from "../helpers/send-raw.ts";
import { until } from "../reload/scene.ts";

const ending: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

/** An upstream that gives these statuses in turn, and the last one again and again; 0 is no answer, -1 a cut connection. */
async function startGiving(...statuses: readonly number[]): Promise<Upstream> {
  let count = 0;
  const upstream = await startUpstream((req, res) => {
    const status = statuses[Math.min(count, statuses.length - 1)]!;
    count += 1;
    if (status === -1) return void req.socket.destroy();
    const answer = (): unknown => status > 0 && res.writeHead(status).end(String(status));
    // What is not to be retried is answered when it has come in.
    return req.on("end", answer).resume();
  });
  ending.push(() => upstream.close());
  return upstream;
}

async function startDead(): Promise<number> {
  const { port, release } = await holdDeadPort();
  ending.push(release);
  return port;
}

type Start = Readonly<{ ports: readonly number[]; retry?: object; route?: object; options?: GatewayOptions }>;

type Sent = Readonly<{ method?: string; body?: string; headers?: Record<string, string> }>;

describe.each(engines)("With $name, a request is sent once more", ({ create }) => {
  async function start({ ports, retry = { Count: 1 }, route = {}, options = {} }: Start) {
    const records: RequestRecord[] = [];
    const Route = {
      UpstreamPathTemplate: "/x",
      DownstreamPathTemplate: "/",
      DownstreamHostAndPorts: ports.map((Port) => ({ Host: "127.0.0.1", Port })),
      LoadBalancerOptions: { Type: "RoundRobin" },
      Retry: retry,
      ...route,
    };
    const observers = [{ begin: () => ({ ended: (record: RequestRecord) => void records.push(record) }) }];
    const config = parseConfig({ Routes: [Route] }, { logger: false });
    const gateway = createGateway(config, { logger: false, engine: create(), observers, ...options });
    const running = await serve(gateway, gateway);
    ending.push(() => running.close());
    const ask = async (sent: Sent = {}): Promise<number> => {
      return (await request({ port: running.port, path: "/x", ...sent })).status;
    };
    return { ask, records, origin: running.origin };
  }

  type Row = Readonly<{
    reason: string;
    gives: readonly number[];
    retry?: object;
    route?: object;
    sent?: Sent;
    /** What the client gets, and how often the upstream was asked. */
    comes: readonly [status: number, asked: number];
  }>;

  const rows: readonly Row[] = [
    { reason: "when the answer is one that passes", gives: [503, 200], comes: [200, 2] },
    { reason: "when the connection is cut", gives: [-1, 200], comes: [200, 2] },
    {
      reason: "when the answer does not come in time, each of the tries",
      gives: [0, 200],
      route: { QoSOptions: { Timeout: 250 } },
      comes: [200, 2],
    },
    { reason: "and no more often than it may be", gives: [502, 503, 200], comes: [503, 2] },
    { reason: "as often as it may be", gives: [502, 503, 504, 200], retry: { Count: 3 }, comes: [200, 4] },
    { reason: "not when the upstream has made a mistake of its own", gives: [500, 200], comes: [500, 1] },
    { reason: "when its status is one of those", gives: [429, 200], retry: { Statuses: [429] }, comes: [200, 2] },
    { reason: "not when it is none of them", gives: [503, 200], retry: { Statuses: [429] }, comes: [503, 1] },
    { reason: "not where it may have done its work", gives: [503, 200], sent: { method: "POST" }, comes: [503, 1] },
    {
      reason: "where its method is one of those",
      gives: [503, 200],
      sent: { method: "POST" },
      retry: { Methods: ["Post"] },
      comes: [200, 2],
    },
    {
      reason: "not when its body has been read",
      gives: [503, 200],
      sent: { method: "PUT", body: "b", headers: { "content-length": "1" } },
      comes: [503, 1],
    },
    {
      reason: "not when its body has been read in chunks",
      gives: [503, 200],
      sent: { method: "PUT", body: "b", headers: { "transfer-encoding": "chunked" } },
      comes: [503, 1],
    },
    { reason: "not on a route that does not ask for it", gives: [503, 200], retry: {}, comes: [503, 1] },
  ];

  test.each(rows)("$reason", async ({ gives, retry = { Count: 1 }, route = {}, sent = {}, comes }) => {
    const upstream = await startGiving(...gives);
    const { ask, records } = await start({ ports: [upstream.port], retry, route });
    expect([await ask(sent), upstream.requests.length]).toEqual(comes);
    expect(records.map(({ status, retries = 0 }) => [status, retries + 1])).toEqual([comes]);
  });

  test("to another host, where there is one", async () => {
    const [bad, good] = [await startGiving(503), await startGiving(200)];
    const { ask, records } = await start({ ports: [bad.port, good.port] });
    const statuses = [];
    for (let count = 0; count < 4; count += 1) statuses.push(await ask());
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect(good.requests).toHaveLength(4);
    expect(new Set(records.map(({ target }) => target))).toEqual(new Set([`${good.origin}/`]));
    expect(good.requests.map(({ headers }) => headers.host)).toEqual(Array(4).fill(`127.0.0.1:${good.port}`));
  });

  test("to a host that was not tried, although the next one refuses the connection", async () => {
    const [bad, good] = [await startGiving(503), await startGiving(200)];
    const { ask } = await start({ ports: [bad.port, await startDead(), good.port], retry: { Count: 2 } });
    expect([await ask(), bad.requests.length]).toEqual([200, 1]);
  });

  test("with a body that a handler has kept", async () => {
    const upstream = await startGiving(503, 200);
    const keep: GatewayOptions["handlers"] = [
      (outgoing, next) => {
        outgoing.body = Buffer.from("kept");
        return next();
      },
    ];
    const { ask } = await start({ ports: [upstream.port], retry: { Methods: ["POST"] }, options: { handlers: keep } });
    expect(await ask({ method: "POST" })).toBe(200);
    expect(upstream.requests.map(({ body }) => String(body))).toEqual(["kept", "kept"]);
  });

  test("not to a host of the route, where a handler has chosen another one", async () => {
    const [foreign, own] = [await startGiving(503, 503), await startGiving(200)];
    const lead: GatewayOptions["handlers"] = [
      (outgoing, next) => {
        outgoing.origin = foreign.origin;
        return next();
      },
    ];
    const { ask } = await start({ ports: [own.port, own.port], options: { handlers: lead } });
    expect([await ask(), foreign.requests.length, own.requests.length]).toEqual([503, 2, 0]);
  });

  test("and follows redirects anew, with all that it had", async () => {
    const upstream = await startUpstream((req, res) => {
      if (req.url === "/") return res.writeHead(302, { location: "/next" }).end();
      return res.writeHead(upstream.requests.length < 3 ? 503 : 200).end();
    });
    ending.push(() => upstream.close());
    const { ask } = await start({
      ports: [upstream.port],
      route: { HttpHandlerOptions: { AllowAutoRedirect: true, MaxConnectionsPerServer: 1 } },
    });
    expect(await ask({ headers: { authorization: "Bearer t" } })).toBe(200);
    expect(upstream.requests.map(({ target, headers }) => [target, headers.authorization])).toEqual([
      ["/", "Bearer t"],
      ["/next", undefined],
      ["/", "Bearer t"],
      ["/next", undefined],
    ]);
  });

  test("not for a client that has left", async () => {
    const upstream = await startGiving(0);
    const { records, origin } = await start({ ports: [upstream.port], retry: { Count: 5 } });
    const controller = new AbortController();
    const asked = fetch(`${origin}/x`, { signal: controller.signal }).catch(() => "left");
    await until(() => upstream.requests.length === 1);
    controller.abort();
    await asked;
    await until(() => records.length === 1);
    expect([upstream.requests.length, records[0]!.status, records[0]!.retries]).toEqual([1, 499, undefined]);
  });

  test("not to hosts that are left alone: the bad answer is the answer", async () => {
    const upstream = await startGiving(503);
    const { ask } = await start({ ports: [upstream.port], route: { QoSOptions: { MinimumThroughput: 1 } } });
    expect([await ask(), await ask(), upstream.requests.length]).toEqual([503, 503, 1]);
  });

  test("as long as the budget lasts", async () => {
    const upstream = await startGiving(503);
    const { ask } = await start({ ports: [upstream.port], retry: { Budget: 0.1 } });
    for (let count = 0; count < 40; count += 1) await ask();
    // At most a tenth, and three always.
    expect(upstream.requests.length - 40).toBeGreaterThanOrEqual(3);
    expect(upstream.requests.length - 40).toBeLessThanOrEqual(4);
  });

  test("and where there was no host for that, the budget is as it was", async () => {
    const upstream = await startGiving(503, 503, 503, 503, 200, 503, 200);
    const clock = { now: 0 };
    const { ask } = await start({
      ports: [upstream.port],
      retry: { Count: 1, Budget: 0 },
      route: { QoSOptions: { MinimumThroughput: 2, BreakDuration: 5_000 } },
      options: { now: () => clock.now },
    });
    const statuses = [];
    for (; statuses.length < 5; clock.now += 5_000) statuses.push(await ask());
    // The first is sent twice; the next two try the host out, and have none to go on to.
    expect([statuses, upstream.requests.length]).toEqual([[503, 503, 503, 200, 200], 7]);
  });

  test("not when the head of a good answer was there: what breaks off then breaks off", async () => {
    const server = net.createServer((socket) => {
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    ending.push(() => new Promise((resolve) => server.close(resolve)));
    const { origin, records } = await start({ ports: [(server.address() as net.AddressInfo).port] });
    await expect(fetch(`${origin}/x`).then((answer) => answer.text())).rejects.toThrow();
    await until(() => records.length === 1);
    expect(records[0]!.retries).toBeUndefined();
  });
});

test.each([
  [0, 100, 3],
  [0.2, 10, 3],
  [0.2, 100, 20],
  [1, 100, 100],
])("a budget of %d lets of %d requests %d be sent once more", (share, requests, expected) => {
  const budget = createRetryBudget(share);
  for (let count = 0; count < requests; count += 1) budget.note();
  let taken = 0;
  for (; taken <= requests && budget.isLeft(); taken += 1) budget.spend();
  expect(taken).toBe(expected);
});

test.each([
  ["a number of times that makes no sense", { Count: 11 }, {}, "wrong-type"],
  ["a status that is no failure", { Statuses: [200] }, {}, "wrong-type"],
  ["a budget of more than all", { Budget: 1.5 }, {}, "wrong-type"],
  ["the naming service, which tries by itself", { Count: 1 }, { ServiceName: "Shop/Orders" }, "retry-misplaced"],
])("%s stops the start", (_name, retry, route, code) => {
  const Routes = [
    {
      UpstreamPathTemplate: "/x",
      DownstreamPathTemplate: "/",
      DownstreamHostAndPorts: [{ Host: "a" }],
      ...route,
      Retry: retry,
    },
  ];
  const GlobalConfiguration = { ServiceDiscoveryProvider: { Type: "ServiceCluster" } };
  expect(() => parseConfig({ Routes, GlobalConfiguration }, { logger: false })).toThrow(new RegExp(code));
});
