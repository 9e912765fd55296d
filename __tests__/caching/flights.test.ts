import http from "node:http";
import { buffer } from "node:stream/consumers";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import {
  createAnswer,
  type GatewayOptions,
  parseConfig,
  RequestError,
  type UpstreamResponse,
} from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { startUpstream } from "../helpers/start-upstream.ts";
import { type CachedRoute, configOf, type Service, startCachedRoute } from "./cached-route.ts";

let route: CachedRoute | undefined;
afterEach(async () => {
  await route?.close();
  route = undefined;
});

/** Answers when it is told to. */
function createGate(): { open: () => void; opened: Promise<void> } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

/** Sends a request, and tells when the service has got it. */
function leaveLater(port: number, path = "/x"): http.ClientRequest {
  const sent = http.request({ host: "127.0.0.1", port, path, agent: false });
  sent.on("error", () => undefined).end();
  return sent;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

describe.each(engines)("equal requests at the same time, with $name", ({ create }) => {
  test("the first client leaves, and those who wait get their answer all the same", async () => {
    const gate = createGate();
    route = await startCachedRoute(
      { answer: (_req, res, call) => void gate.opened.then(() => res.end(`answer ${call}`)) },
      { options: { engine: create() } },
    );
    const { upstream, gateway, ask } = route;
    const first = leaveLater(gateway.port);
    await until(() => upstream.requests.length === 1);
    const second = ask();
    const running = () => gateway.gateway.health().running;
    await until(() => running() === 2);
    first.destroy();
    await until(() => running() === 1);
    gate.open();

    expect((await second).body).toBe("answer 1");
    expect(upstream.requests).toHaveLength(1);
  });

  test("all clients leave, and so the call ends", async () => {
    let ended = false;
    route = await startCachedRoute(
      { answer: (_req, res) => res.on("close", () => (ended = true)) },
      { options: { engine: create() } },
    );
    const { upstream, gateway } = route;
    const first = leaveLater(gateway.port);
    await until(() => upstream.requests.length === 1);
    const second = leaveLater(gateway.port);
    await until(() => gateway.gateway.health().running === 2);
    first.destroy();
    second.destroy();

    await until(() => ended);
    expect(upstream.requests).toHaveLength(1);
  });

  test("an answer that may not be kept is for the first client, and the others ask for themselves", async () => {
    const gate = createGate();
    route = await startCachedRoute(
      {
        answer(_req, res, call) {
          void gate.opened.then(() => res.setHeader("Set-Cookie", `sid=${call}`).end(`answer ${call}`));
        },
      },
      { options: { engine: create() } },
    );
    const { upstream, gateway, ask } = route;
    const asked = [ask(), ask(), ask()];
    await until(() => gateway.gateway.health().running === 3 && upstream.requests.length === 1);
    gate.open();

    const got = await Promise.all(asked);
    expect(got.map(({ body }) => body).toSorted()).toEqual(["answer 1", "answer 2", "answer 3"]);
    expect(new Set(got.map(({ headers }) => String(headers["set-cookie"]))).size).toBe(3);
  });

  test("an answer streams to its client while it is stored, and one that breaks off is not kept", async () => {
    const gate = createGate();
    route = await startCachedRoute(
      {
        answer(_req, res, call) {
          res.write("begin ");
          void gate.opened.then(() => (call === 1 ? res.destroy() : res.end(`end ${call}`)));
        },
      },
      { options: { engine: create() } },
    );
    const { gateway, ask, upstream } = route;
    const pieces: string[] = [];
    const broken = new Promise<boolean>((resolve) => {
      http
        .get({ host: "127.0.0.1", port: gateway.port, path: "/x", agent: false }, (answer) => {
          answer.on("data", (piece: Buffer) => {
            pieces.push(piece.toString());
            gate.open();
          });
          answer.on("close", () => resolve(!answer.complete)).on("error", () => undefined);
        })
        .on("error", () => undefined);
    });

    expect(await broken).toBe(true);
    expect(pieces).toEqual(["begin "]);
    expect((await ask()).body).toBe("begin end 2");
    expect((await ask()).body).toBe("begin end 2");
    expect(upstream.requests).toHaveLength(2);
  });

  test("a condition is judged by the gateway, and the whole answer is kept", async () => {
    route = await startCachedRoute(
      { headers: { ETag: '"a{n}"', "Last-Modified": "Wed, 21 Oct 2015 07:28:00 GMT" } },
      { options: { engine: create() } },
    );
    const { ask, upstream } = route;
    const first = await ask({ headers: { "If-None-Match": 'W/"a1", "b"' } });
    expect({ status: first.status, body: first.body, tag: first.headers.etag }).toEqual({
      status: 304,
      body: "",
      tag: '"a1"',
    });
    expect(upstream.requests[0]!.headers["if-none-match"]).toBeUndefined();

    const rows = [
      { asked: {}, status: 200 },
      { asked: { "If-None-Match": '"a1"' }, status: 304 },
      { asked: { "If-None-Match": "*" }, status: 304 },
      { asked: { "If-None-Match": '"b"' }, status: 200 },
      { asked: { "If-None-Match": '"b"', "If-Modified-Since": "Wed, 21 Oct 2015 07:28:00 GMT" }, status: 200 },
      { asked: { "If-Modified-Since": "Wed, 21 Oct 2015 07:28:00 GMT" }, status: 304 },
      { asked: { "If-Modified-Since": "Wed, 21 Oct 2015 07:27:59 GMT" }, status: 200 },
      { asked: { "If-Modified-Since": "yesterday" }, status: 200 },
    ];
    for (const { asked, status } of rows)
      expect({ asked, status: (await ask({ headers: asked })).status }).toEqual({ asked, status });
    expect(upstream.requests).toHaveLength(1);
  });
});

describe.each(engines)("code that reads what the cache gives, with $name", ({ create }) => {
  type Outcomes = { begun: number; ends: string[] };

  async function read({ body }: UpstreamResponse, outcomes: Outcomes): Promise<Buffer> {
    outcomes.begun += 1;
    const reading = buffer(body);
    reading.then(
      () => outcomes.ends.push("whole"),
      (error: unknown) => outcomes.ends.push(error instanceof RequestError ? error.code : String(error)),
    );
    return reading;
  }

  const readers: readonly { who: string; options: (outcomes: Outcomes) => GatewayOptions }[] = [
    {
      who: "a handler",
      options: (outcomes) => ({
        handlers: [
          async (_outgoing, next) => {
            const answer = await next();
            answer.body = await read(answer, outcomes);
            return answer;
          },
        ],
      }),
    },
    {
      who: "a responder",
      options: (outcomes) => ({
        responder: async (upstream, _context, respond) => {
          upstream.body = await read(upstream, outcomes);
          await respond();
        },
      }),
    },
  ];

  test.each(readers)("learns that its client has left, though others wait for the rest: $who", async ({ options }) => {
    const gate = createGate();
    const outcomes: Outcomes = { begun: 0, ends: [] };
    route = await startCachedRoute(
      {
        answer(_req, res) {
          res.write("begin, ");
          void gate.opened.then(() => res.end("end"));
        },
      },
      { options: { engine: create(), ...options(outcomes) } },
    );
    const { gateway, ask, upstream } = route;
    const running = () => gateway.gateway.health().running;
    const first = leaveLater(gateway.port);
    await until(() => outcomes.begun === 1);
    const second = ask();
    await until(() => running() === 2);
    first.destroy();
    await until(() => running() === 1);
    // Code that is at work may go on with a body for a second.
    await until(() => outcomes.ends.length === 1);
    gate.open();

    expect((await second).body).toBe("begin, end");
    expect(outcomes.ends).toEqual(["client-gone", "whole"]);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe.each(engines)("a call whose client has what it gets, with $name", ({ create }) => {
  afterEach(() => void jest.useRealTimers());

  /** A route to a service that begins answers and ends none but those below `/quick`; counts those that are not closed. */
  async function startDripping(more: object = {}) {
    const open = new Set<string>();
    const answer: NonNullable<Service["answer"]> = (req, res) => {
      const path = req.url!;
      if (path.startsWith("/quick")) return void res.end("quick");
      open.add(path);
      res.on("close", () => open.delete(path)).write("begin");
    };
    route = await startCachedRoute({ answer }, { route: more, options: { engine: create() } });
    return { ...route, open };
  }

  const conditional = { headers: { "If-None-Match": "*" } };

  test.each([
    { how: "as it had it already", more: {}, asked: conditional, status: 304 },
    {
      how: "as it wants the head alone",
      more: { DownstreamHttpMethod: "GET" },
      asked: { method: "HEAD" },
      status: 200,
    },
  ])("goes on for 5 seconds, and takes its place as long: $how", async ({ more, asked, status }) => {
    jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask", "performance", "Date"] });
    const { ask, open, gateway } = await startDripping({ ...more, Limits: { Concurrent: 2 } });
    expect((await ask({ path: "/a", ...asked })).status).toBe(status);
    await until(() => gateway.gateway.health().running === 0);
    const other = leaveLater(gateway.port, "/b");
    await until(() => open.has("/b"));
    expect((await ask({ path: "/quick/1" })).status).toBe(503);
    jest.advanceTimersByTime(4_900);
    expect([...open]).toEqual(["/a", "/b"]);
    jest.advanceTimersByTime(200);
    await until(() => !open.has("/a"));
    expect((await ask({ path: "/quick/2" })).status).toBe(200);
    other.destroy();
    await until(() => open.size === 0);
  });

  test.each([
    { bound: "32 of them", more: {}, most: 32 },
    { bound: "half of what may run at the same time", more: { Limits: { Concurrent: 8 } }, most: 4 },
    { bound: "half of its connections", more: { HttpHandlerOptions: { MaxConnectionsPerServer: 5 } }, most: 2 },
  ])("goes on beside others like it: $bound at most", async ({ more, most }) => {
    const { ask, open, gateway } = await startDripping(more);
    for (let n = 0; n < most + 3; n += 1) expect((await ask({ path: `/${n}`, ...conditional })).status).toBe(304);
    await until(() => gateway.gateway.health().running === 0 && open.size <= most);
    expect(open.size).toBe(most);
    expect((await ask({ path: "/quick" })).body).toBe("quick");
  });

  test("ends at once where there is no place for it", async () => {
    const gate = createGate();
    route = await startCachedRoute(
      {
        answer(_req, res, call) {
          res.write("begin, ");
          void gate.opened.then(() => res.end(`answer ${call}`));
        },
      },
      { route: { Limits: { Concurrent: 1 } }, options: { engine: create() } },
    );
    const { ask, upstream, gateway } = route;
    expect((await ask(conditional)).status).toBe(304);
    await until(() => gateway.gateway.health().running === 0);
    gate.open();
    expect((await ask()).body).toBe("begin, answer 2");
    expect((await ask()).body).toBe("begin, answer 2");
    expect(upstream.requests).toHaveLength(2);
  });
});

describe.each(engines)("an answer to which a redirect has led, with $name", ({ create }) => {
  test.each([{ Mode: "Ttl" }, { Mode: "Rfc" }])("is for the client that was redirected: $Mode", async ({ Mode }) => {
    route = await startCachedRoute(
      {
        answer(req, res) {
          const isPage = req.url !== "/me";
          res.setHeader("Cache-Control", isPage ? "max-age=60" : "private, no-store");
          if (!isPage) res.writeHead(302, { Location: `/of/${String(req.headers["x-tenant"])}` });
          res.end(`page ${req.url}`);
        },
      },
      {
        route: { CacheOptions: { TtlSeconds: 60, Mode }, HttpHandlerOptions: { AllowAutoRedirect: true } },
        options: { engine: create() },
      },
    );

    const pages = [];
    for (const tenant of ["a", "b"])
      pages.push((await route.ask({ path: "/me", headers: { "X-Tenant": tenant } })).body);

    expect(pages).toEqual(["page /of/a", "page /of/b"]);
  });
});

describe("a client that is to stay at its host", () => {
  test("is told so by an answer that comes from there, and those are not who get it from the cache", async () => {
    const other = await startUpstream((_req, res) => void res.end("answer 1"));
    route = await startCachedRoute(
      {},
      {
        route: {
          DownstreamHostAndPorts: ["localhost", "127.0.0.1"].map((Host) => ({ Host, Port: other.port })),
          LoadBalancerOptions: { Type: "CookieStickySessions", Key: "sid", Expiry: 60_000 },
        },
      },
    );

    const [first, second] = [await route.ask(), await route.ask()];

    expect(first.headers["set-cookie"]).toEqual([expect.stringMatching(/^sid\.host=/)]);
    expect(second.headers["set-cookie"]).toBeUndefined();
    expect(other.requests).toHaveLength(1);
    await other.close();
  });
});

describe("the id of a request", () => {
  test.each([
    { Mode: "Rfc", key: "X-Trace" },
    { Mode: "Ttl", key: "X-Trace" },
    { Mode: "Ttl", key: undefined },
  ])("is on no answer to another one: $key, $Mode", async ({ Mode, key }) => {
    route = await startCachedRoute(
      {
        answer(req, res, call) {
          for (const name of ["x-trace", "x-request-id"] as const) res.setHeader(name, req.headers[name] ?? "none");
          res.setHeader("Correlation-Id", `service ${call}`).setHeader("Cache-Control", "max-age=60").end();
        },
      },
      { route: { CacheOptions: { TtlSeconds: 60, Mode }, RequestIdKey: key } },
    );
    const { ask, upstream } = route;
    const idsOf = async (id: string): Promise<readonly unknown[]> => {
      const sent = key ?? "X-Request-Id";
      const { headers } = await ask({ headers: { [sent]: id } });
      return [headers[sent.toLowerCase()], headers["correlation-id"]];
    };

    expect([await idsOf("a"), await idsOf("b")]).toEqual([
      ["a", "service 1"],
      [key === undefined ? undefined : "b", undefined],
    ]);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe("where the cache stands", () => {
  test("handlers run for hits, too, unless the cache stands before them", async () => {
    for (const before of [false, true]) {
      let runs = 0;
      route = await startCachedRoute(
        {},
        {
          route: { CacheOptions: { TtlSeconds: 20, BeforeHandlers: before } },
          options: {
            handlers: [
              async (_outgoing, next) => {
                runs += 1;
                return next();
              },
            ],
          },
        },
      );
      await route.ask();
      expect((await route.ask()).body).toBe("answer 1");
      expect(runs).toBe(before ? 1 : 2);
      await route.close();
    }
    route = undefined;
  });

  test("what a handler makes by itself is not kept behind it", async () => {
    route = await startCachedRoute(
      {},
      { options: { handlers: [async () => createAnswer({ status: 200, body: `made ${Math.random()}` })] } },
    );
    expect((await route.ask()).body).not.toBe((await route.ask()).body);
  });

  test("a reload begins anew where it may change answers, and keeps them where it changes what may be asked", async () => {
    route = await startCachedRoute();
    const { ask, gateway, upstream } = route;
    const rows = [
      { why: "a limit", global: { Limits: { Connect: 7 } }, begins: false },
      { why: "another limit beside it", global: { Limits: { Connect: 8, Concurrent: 90 } }, begins: false },
      { why: "a time limit", global: { Timeout: 50 }, begins: false },
      { why: "what it is answered with", global: { TimeoutStatus: 503 }, begins: false },
      { why: "when hosts are left alone", global: { QoSOptions: { MinimumThroughput: 9 } }, begins: false },
      {
        why: "how often clients may ask",
        global: { RateLimitOptions: { Limit: 90, Period: "1m", By: "Address" } },
        begins: false,
      },
      { why: "nothing any more", global: {}, begins: false },
      { why: "what answers are told apart by", global: { CacheOptions: { Header: "X-Tenant" } }, begins: true },
      { why: "what redirects are changed to", global: { BaseUrl: "https://api.example.org" }, begins: true },
      { why: "what the service is sent", global: { RequestIdKey: "X-Request" }, begins: true },
    ];
    let before = (await ask()).body;
    for (const { why, global, begins } of rows) {
      await gateway.gateway.reload(parseConfig(configOf(upstream.port, { global }), { logger: false }));
      const { body } = await ask();
      expect({ why, begins: body !== before }).toEqual({ why, begins });
      before = body;
    }
  });

  test("purging a region, a route or all makes the service be asked again", async () => {
    route = await startCachedRoute({}, { route: { Key: "catalogue", CacheOptions: { TtlSeconds: 20, Region: "r1" } } });
    const { ask, gateway } = route;
    const { purge } = gateway.gateway.cache;
    const rows = [
      { what: { region: "R1" }, again: true },
      { what: { region: "" }, again: true },
      { what: { route: "other" }, again: true },
      { what: { route: "catalogue", region: "r2" }, again: true },
      { what: { region: "r1" }, again: false },
      { what: { route: "catalogue" }, again: false },
      { what: { route: "catalogue", region: "r1" }, again: false },
      { what: {}, again: false },
    ];
    for (const { what, again } of rows) {
      const { body } = await ask();
      await purge(what);
      expect({ what, again: (await ask()).body === body }).toEqual({ what, again });
    }
    await expect(purge({ region: 1 as never })).rejects.toThrow(/expected a text/);
  });
});
