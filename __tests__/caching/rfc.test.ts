import http from "node:http";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import type { OutgoingHttpHeaders } from "node:http";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";
import { engines } from "../helpers/engines.ts";
import { type Asked, askAt, type CachedRoute, startCachedRoute } from "./cached-route.ts";

let route: CachedRoute | undefined;
afterEach(async () => {
  jest.restoreAllMocks();
  await route?.close();
  route = undefined;
});

type Row = Readonly<{
  title: string;
  headers: OutgoingHttpHeaders;
  calls: number;
  asked?: OutgoingHttpHeaders;
  trusted?: true;
}>;

const long = "max-age=60";
const past = "Wed, 21 Oct 2015 07:28:00 GMT";

/** Two requests, and how many of them the service gets. */
const rows: readonly Row[] = [
  { title: "max-age above 0 is fresh", headers: { "Cache-Control": long }, calls: 1 },
  { title: "s-maxage goes before max-age", headers: { "Cache-Control": "max-age=1, s-maxage=60", Age: "5" }, calls: 1 },
  { title: "an answer older than its max-age is asked for", headers: { "Cache-Control": long, Age: "61" }, calls: 2 },
  { title: "directives have no case", headers: { "Cache-Control": "MAX-AGE=60" }, calls: 1 },
  { title: "Expires in the future is fresh", headers: { Expires: "Fri, 01 Jan 2100 00:00:00 GMT" }, calls: 1 },
  { title: "Expires in the past is asked for", headers: { Expires: past }, calls: 2 },
  { title: "Expires that is no date is asked for", headers: { Expires: "0" }, calls: 2 },
  { title: "Expires without a comma is asked for", headers: { Expires: "Fri 01 Jan 2100 00:00:00 GMT" }, calls: 2 },
  { title: "Expires of another zone is asked for", headers: { Expires: "Fri, 01 Jan 2100 00:00:00 UTC" }, calls: 2 },
  {
    title: "Expires in the second form of old is fresh",
    headers: { Expires: "Thursday, 18-Aug-50 02:01:18 GMT" },
    calls: 1,
  },
  { title: "Expires in the third form of old is fresh", headers: { Expires: "Thu Aug  8 02:01:18 2050" }, calls: 1 },
  {
    title: "Expires of the century before is asked for",
    headers: { Expires: "Sunday, 06-Nov-94 08:49:37 GMT" },
    calls: 2,
  },
  { title: "an Age that is no whole number does not count", headers: { "Cache-Control": long, Age: "61.5" }, calls: 1 },
  { title: "of a list of ages the first counts", headers: { "Cache-Control": long, Age: "61, 0" }, calls: 2 },
  {
    title: "must-revalidate is given again while it is fresh",
    headers: { "Cache-Control": `${long}, must-revalidate` },
    calls: 1,
  },
  {
    title: "stale-while-revalidate is given to a trusted peer that says something else",
    headers: { "Cache-Control": "max-age=10, stale-while-revalidate=60", Age: "11" },
    asked: { "Cache-Control": "no-transform" },
    trusted: true,
    calls: 2,
  },
  {
    title: "max-stale of a trusted peer makes nothing fresh",
    headers: { "Cache-Control": "max-age=10, must-revalidate", Age: "11", ETag: '"a"' },
    asked: { "Cache-Control": "max-stale=60" },
    trusted: true,
    calls: 2,
  },
  { title: "max-age goes before Expires", headers: { "Cache-Control": long, Expires: past }, calls: 1 },
  {
    title: "an old Last-Modified makes it fresh for a tenth of the time",
    headers: { "Last-Modified": past },
    calls: 1,
  },
  { title: "nothing said is asked for", headers: {}, calls: 2 },
  { title: "public alone is asked for", headers: { "Cache-Control": "public" }, calls: 2 },
  { title: "immutable alone is asked for", headers: { "Cache-Control": "immutable" }, calls: 2 },
  { title: "Set-Cookie forbids it all the same", headers: { "Cache-Control": long, "Set-Cookie": "a=1" }, calls: 2 },
  { title: "private forbids it", headers: { "Cache-Control": `private, ${long}` }, calls: 2 },
  { title: "an ETag alone is asked about", headers: { ETag: '"a"' }, calls: 2 },
  {
    title: "stale-while-revalidate is given, and asked for behind",
    headers: { "Cache-Control": "max-age=10, stale-while-revalidate=60", Age: "11" },
    calls: 2,
  },
  {
    title: "no-cache of a client nobody trusts does not count",
    headers: { "Cache-Control": long },
    asked: { "Cache-Control": "no-cache" },
    calls: 1,
  },
  {
    title: "no-cache of a trusted peer counts",
    headers: { "Cache-Control": long },
    asked: { "Cache-Control": "no-cache" },
    trusted: true,
    calls: 2,
  },
  {
    title: "max-age=0 of a trusted peer counts",
    headers: { "Cache-Control": long },
    asked: { "Cache-Control": "max-age=0" },
    trusted: true,
    calls: 2,
  },
];

describe("answers decide by themselves", () => {
  test.each(rows)("$title", async ({ headers, calls, asked = {}, trusted }) => {
    const options = trusted === true ? { trustProxy: true } : {};
    route = await startCachedRoute({ headers }, { route: { CacheOptions: { Mode: "Rfc" } }, options });
    await route.ask({ headers: asked });
    await route.ask({ headers: asked });
    while (route.upstream.requests.length < calls) await new Promise((resolve) => setImmediate(resolve));
    expect(route.upstream.requests).toHaveLength(calls);
  });

  test("max-age=0 of a trusted peer asks for more than an answer of this very millisecond", async () => {
    jest.spyOn(Date, "now").mockReturnValue(Date.now());
    route = await startCachedRoute(
      { headers: { "Cache-Control": long } },
      { route: { CacheOptions: { Mode: "Rfc" } }, options: { trustProxy: true } },
    );
    const asked = { headers: { "Cache-Control": "max-age=0" } };
    await route.ask(asked);
    await route.ask(asked);
    expect(route.upstream.requests).toHaveLength(2);
  });

  test("what is not fresh any more is asked about by its tag, and given again where it holds", async () => {
    route = await startCachedRoute(
      {
        answer(req, res, call) {
          res.setHeader("ETag", '"a"').setHeader("X-Call", String(call));
          if (req.headers["if-none-match"] === '"a"') res.writeHead(304).end();
          else res.end(`answer ${call}`);
        },
      },
      { route: { CacheOptions: { Mode: "Rfc" } } },
    );
    await route.ask();
    const again = await route.ask();
    expect({ status: again.status, body: again.body, call: again.headers["x-call"] }).toEqual({
      status: 200,
      body: "answer 1",
      call: "2",
    });
    expect(again.headers["cache-status"]).toBe("waymark; fwd=stale; fwd-status=304; stored");
    expect((await route.ask({ headers: { "If-None-Match": '"a"' } })).status).toBe(304);
  });

  test("what the service calls private behind an answer that is not fresh any more is given to nobody again", async () => {
    route = await startCachedRoute(
      {
        answer(_req, res, call) {
          if (call === 1) res.setHeader("Age", "11");
          const shared = "max-age=10, stale-while-revalidate=60";
          res.setHeader("Cache-Control", call === 1 ? shared : "private").end(`answer ${call}`);
        },
      },
      { route: { CacheOptions: { Mode: "Rfc" } } },
    );
    await route.ask();
    await route.ask();
    while (route.gateway.gateway.health().running > 0 || route.upstream.requests.length < 2)
      await new Promise((resolve) => setImmediate(resolve));

    const { body } = await route.ask();

    expect(body).not.toBe("answer 1");
  });

  test("where the service fails, an answer that allows it goes on", async () => {
    route = await startCachedRoute(
      {
        answer(_req, res, call) {
          res.setHeader("Cache-Control", "max-age=10, stale-if-error=60").setHeader("Age", "11");
          if (call === 1) res.end("answer 1");
          else if (call === 2) res.writeHead(503).end("down");
          else res.destroy();
        },
      },
      { route: { CacheOptions: { Mode: "Rfc" } } },
    );
    await route.ask();
    expect((await route.ask()).body).toBe("answer 1");
    expect((await route.ask()).body).toBe("answer 1");
    expect(route.upstream.requests.length).toBeGreaterThanOrEqual(3);
  });

  test("an answer in place of failures ages, however often it is asked for", async () => {
    const begun = Date.now();
    const clock = jest.spyOn(Date, "now").mockReturnValue(begun);
    route = await startCachedRoute(
      {
        answer(_req, res, call) {
          if (call > 1) return void res.writeHead(500).end("down");
          res.setHeader("Cache-Control", "max-age=10, stale-if-error=20").setHeader("Age", "11");
          return void res.end("answer 1");
        },
      },
      { route: { CacheOptions: { Mode: "Rfc" } } },
    );
    await route.ask();
    const got: string[] = [];
    for (let milliseconds = 600; milliseconds < 24_000; milliseconds += 600) {
      clock.mockReturnValue(begun + milliseconds);
      const { status, headers } = await route.ask();
      got.push(`${status} ${headers.age}`);
    }
    // Those are the seconds since it was made; at 30 the time is over for which it may be given.
    const given = Array.from({ length: 31 }, (_, index) => `200 ${11 + Math.floor((index + 1) * 0.6)}`);
    expect(got.slice(0, 31)).toEqual(given);
    expect(got.slice(32)).toEqual(Array(7).fill("500 undefined"));
  });

  test.each([
    { method: "POST", path: "/x", status: 200, again: false, why: "it may have changed what was asked for" },
    { method: "PURGE", path: "/x", status: 303, again: false, why: "nobody knows what it does" },
    { method: "DELETE", path: "/x", status: 404, again: true, why: "nothing was done" },
    { method: "PUT", path: "/x", status: 500, again: true, why: "nothing was done" },
    { method: "POST", path: "/x?1", status: 200, again: true, why: "it was about something else" },
    { method: "OPTIONS", path: "/x", status: 200, again: true, why: "it changes nothing" },
  ])("$method of $path that is answered $status: given again $again, as $why", async ({ again, ...asked }) => {
    const { method, path, status } = asked;
    route = await startCachedRoute(
      {
        answer(req, res, call) {
          req.resume();
          res.setHeader("Cache-Control", long).setHeader("Vary", "Accept-Language");
          res.writeHead(req.method === "GET" ? 200 : status).end(`answer ${call}`);
        },
      },
      { route: { CacheOptions: { Mode: "Rfc" } } },
    );
    const languages = [{}, { "Accept-Language": "de" }];
    for (const headers of languages) await route.ask({ headers });
    await route.ask({ method, path, headers: { "Content-Length": "0" } });
    const bodies = [];
    for (const headers of languages) bodies.push((await route.ask({ headers })).body);
    expect(bodies).toEqual(again ? ["answer 1", "answer 2"] : ["answer 4", "answer 5"]);
  });

  test.each([
    { how: "many", count: 700, length: 8 },
    { how: "long", count: 2, length: 5_000 },
  ])("304 with other fields each time makes no head that clients refuse: $how fields", async ({ count, length }) => {
    route = await startCachedRoute(
      {
        answer(req, res, call) {
          res.setHeader("Cache-Control", "max-age=1").setHeader("Age", "9").setHeader("ETag", '"a"');
          res.setHeader("Content-Type", "text/first").setHeader("X-First", "kept").setHeader("X-Last", call);
          if (req.headers["if-none-match"] === undefined) return res.end("answer");
          for (let index = 0; index < count; index += 1) res.setHeader(`x-${call}-${index}`.padEnd(length, "a"), "");
          return res.writeHead(304).end();
        },
      },
      { route: { CacheOptions: { Mode: "Rfc" } } },
    );
    const got = [];
    for (let call = 1; call <= 5; call += 1) got.push(await route.ask());
    const counts = got.map(({ headers }) => Object.keys(headers).length);
    expect(Math.max(...counts)).toBeLessThan(count + 300);
    expect(got.map(({ body, headers }) => [body, headers["content-type"], headers["x-first"]])).toEqual(
      got.map(() => ["answer", "text/first", "kept"]),
    );
    expect(got.map(({ headers }) => headers["x-last"])).toEqual(["1", "2", "3", "4", "5"]);
  });

  test("an answer that was asked for before a change, and comes behind it, is given to nobody again", async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<undefined>();
    route = await startCachedRoute(
      {
        answer(req, res, call) {
          res.setHeader("Cache-Control", long);
          const end = (): unknown => res.end(`answer ${call}`);
          if (req.method === "GET" && call === 1) void opened.then(end);
          else req.on("end", end).resume();
        },
      },
      { route: { CacheOptions: { Mode: "Rfc" } } },
    );
    const early = route.ask();
    while (route.upstream.requests.length < 1) await new Promise((resolve) => setImmediate(resolve));
    await route.ask({ method: "PUT", body: "new" });
    open(undefined);
    const bodies = [(await early).body, (await route.ask()).body, (await route.ask()).body];
    expect(bodies).toEqual(["answer 1", "answer 3", "answer 3"]);
  });

  test.each([{ Mode: "Rfc" }, { Mode: "Ttl", TtlSeconds: 20 }])(
    "only-if-cached of a trusted peer asks nobody: $Mode",
    async (CacheOptions) => {
      route = await startCachedRoute(
        { headers: { "Cache-Control": long } },
        { route: { CacheOptions }, options: { trustProxy: true } },
      );
      const only = { "Cache-Control": "only-if-cached" };
      const statuses = [(await route.ask({ headers: only })).status];
      statuses.push((await route.ask()).status, (await route.ask({ headers: only })).status);
      statuses.push((await route.ask({ headers: { ...only, Cookie: "a=1" } })).status);
      expect(statuses).toEqual([504, 200, 200, 504]);
      expect(route.upstream.requests).toHaveLength(1);
    },
  );

  test.each([{ Mode: "Rfc" }, { Mode: "Ttl", TtlSeconds: 20 }])(
    "HEAD with only-if-cached gets the head of what GET got: $Mode",
    async (CacheOptions) => {
      const headers = { "Cache-Control": long, ETag: '"a"', Vary: "Accept-Language" };
      route = await startCachedRoute({ headers }, { route: { CacheOptions }, options: { trustProxy: true } });
      const { ask, upstream } = route;
      const only = { method: "HEAD", headers: { "Cache-Control": "only-if-cached" } };
      const before = await ask(only);
      await ask();
      const got = await ask(only);
      const known = await ask({ ...only, headers: { ...only.headers, "If-None-Match": '"a"' } });
      const other = await ask({ ...only, headers: { ...only.headers, "Accept-Language": "de" } });
      expect([before, got, known, other].map(({ status }) => status)).toEqual([504, 200, 304, 504]);
      expect({ length: got.headers["content-length"], tag: got.headers.etag, body: got.body }).toEqual({
        ...{ length: "8", tag: '"a"', body: "" },
      });
      expect(got.headers["cache-status"]).toMatch(/^waymark; hit/);
      expect(upstream.requests).toHaveLength(1);
    },
  );

  const overrides: readonly (readonly [what: string, asked: Asked, again: boolean])[] = [
    ...[
      "X-HTTP-Method-Override",
      "X-HTTP-Method",
      "X-Method-Override",
      "X-Method",
      "X_HTTP_Method_Override",
      "HTTP-Method",
    ].map((name) => [`GET with ${name}: DELETE`, { headers: { [name]: "DELETE" } }, false] as const),
    ...["POST", "put", " Patch ", "DELETE, GET"].map(
      (method) =>
        [`GET to be taken for "${method}"`, { headers: { "X-HTTP-Method-Override": method } }, false] as const,
    ),
    ["GET with _method=delete", { path: "/x?_method=delete" }, false],
    ["POST with _method=DELETE", { method: "POST", path: "/x?_METHOD=DELETE" }, false],
    ["POST of another address", { method: "POST", path: "/x?a=1&_method=DELETE" }, true],
    ["GET to be taken for HEAD", { headers: { "X-HTTP-Method-Override": "HEAD" } }, true],
    ["GET with _method=GET", { path: "/x?_method=GET" }, true],
    ["GET with method=DELETE", { path: "/x?method=DELETE" }, true],
  ];

  test.each(overrides)("%s", async (_what, asked, again) => {
    route = await startCachedRoute(
      { headers: { "Cache-Control": long } },
      { route: { CacheOptions: { Mode: "Rfc" } } },
    );
    const { ask } = route;
    const first = await ask();
    await ask(asked);
    expect((await ask()).body === first.body).toBe(again);
  });

  test("what a request that got no answer may have changed is not given again", async () => {
    route = await startCachedRoute(
      {
        answer(req, res, call) {
          if (req.method === "PUT") req.on("end", () => res.destroy()).resume();
          else if (req.method === "DELETE") req.resume();
          else res.setHeader("Cache-Control", long).end(`answer ${call}`);
        },
      },
      { route: { CacheOptions: { Mode: "Rfc" } } },
    );
    const { ask, gateway, upstream } = route;
    const bodies = [(await ask()).body, String((await ask({ method: "PUT", body: "new" })).status), (await ask()).body];
    const left = http.request({ host: "127.0.0.1", port: gateway.port, path: "/x", method: "DELETE", agent: false });
    left.on("error", () => undefined).end();
    while (upstream.requests.length < 4) await new Promise((resolve) => setImmediate(resolve));
    left.destroy();
    while (gateway.gateway.health().running > 0) await new Promise((resolve) => setImmediate(resolve));
    bodies.push((await ask()).body);
    expect(bodies).toEqual(["answer 1", "502", "answer 3", "answer 5"]);
  });

  test("a host is the same in capitals, and with the usual port", async () => {
    route = await startCachedRoute(
      { headers: { "Cache-Control": long } },
      { route: { CacheOptions: { Mode: "Rfc" } } },
    );
    const { ask } = route;
    const headers = { host: "shop.example.org" };
    const bodies = [(await ask({ headers })).body];
    for (const host of ["SHOP.example.org", "shop.example.org:80"]) {
      await ask({ method: "PUT", body: "new", headers: { host } });
      bodies.push((await ask({ headers })).body);
    }
    expect(bodies).toEqual(["answer 1", "answer 3", "answer 5"]);
  });

  test("a route that sends another method than the client's may change what is asked for", async () => {
    const config = (port: number, route: object): object => ({
      UpstreamPathTemplate: "/x",
      DownstreamPathTemplate: "/x",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }],
      CacheOptions: { Mode: "Rfc" },
      ...route,
    });
    const upstream = await startUpstream((req, res) => void res.setHeader("Cache-Control", long).end(req.method));
    const gateway = await startGateway({
      Routes: [
        config(upstream.port, { UpstreamHttpMethod: ["GET"] }),
        config(upstream.port, { UpstreamHttpMethod: ["HEAD", "OPTIONS"], DownstreamHttpMethod: "DELETE" }),
      ],
    });
    for (const method of ["GET", "GET", "OPTIONS", "GET"]) await askAt(gateway.port, { method });
    await gateway.close();
    await upstream.close();
    expect(upstream.requests.map(({ method }) => method)).toEqual(["GET", "DELETE", "GET"]);
  });

  describe("behind an answer that is given although it is not fresh", () => {
    afterEach(() => void jest.useRealTimers());

    test("a service is asked once, for as long as it takes, and who has to wait for it waits 5 seconds", async () => {
      jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask", "performance", "Date"] });
      const { promise: opened, resolve: open } = Promise.withResolvers<undefined>();
      const until = async (isSo: () => boolean): Promise<void> => {
        while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
      };
      let hasEnded = false;
      route = await startCachedRoute(
        {
          answer(_req, res, call) {
            res.setHeader("Cache-Control", "max-age=10, stale-while-revalidate=60");
            if (call === 1) res.setHeader("Age", "11");
            // What is not kept leaves what is kept as it is.
            if (call === 3) res.removeHeader("Cache-Control");
            res.on("close", () => (hasEnded ||= call === 2));
            void (call === 2 ? opened : Promise.resolve()).then(() => res.end(`answer ${call}`));
          },
        },
        { route: { CacheOptions: { Mode: "Rfc" } }, options: { trustProxy: true } },
      );
      const { ask, upstream, gateway } = route;
      const bodies = [(await ask()).body, (await ask()).body];
      await until(() => upstream.requests.length === 2);
      const fresh = ask({ headers: { "Cache-Control": "max-age=5" } });
      await until(() => gateway.gateway.health().running === 1);
      await new Promise((resolve) => setImmediate(resolve));
      jest.advanceTimersByTime(5_100);
      bodies.push((await fresh).body, (await ask()).body);
      jest.advanceTimersByTime(60_000);
      open(undefined);
      await until(() => hasEnded);
      let last = await ask();
      while (last.body !== "answer 2") last = await ask();
      expect(bodies).toEqual(["answer 1", "answer 1", "answer 3", "answer 1"]);
      expect(upstream.requests).toHaveLength(3);
    });
  });

  test.each(engines)(
    "as many are asked for anew as half of what may run, and the others go on: $name",
    async ({ create }) => {
      const asked: string[] = [];
      route = await startCachedRoute(
        {
          answer(req, res) {
            const isFirst = !asked.includes(req.url!);
            asked.push(req.url!);
            res.setHeader("Cache-Control", "max-age=10, stale-while-revalidate=60").setHeader("Age", "11");
            if (isFirst) res.end(`answer of ${req.url}`);
          },
        },
        { route: { CacheOptions: { Mode: "Rfc" }, Limits: { Concurrent: 4 } }, options: { engine: create() } },
      );
      const paths = Array.from({ length: 6 }, (_, n) => `/${n}`);
      for (let round = 0; round < 3; round += 1)
        for (const path of paths) expect((await route.ask({ path })).body).toBe(`answer of ${path}`);
      expect(asked).toEqual([...paths, "/0", "/1"]);
    },
  );

  test("a client that has the answer already is told what the service has said", async () => {
    route = await startCachedRoute(
      { headers: { ETag: '"a"', "Cache-Control": long } },
      { route: { CacheOptions: { Mode: "Rfc" } } },
    );
    const { status, headers } = await route.ask({ headers: { "If-None-Match": '"a"' } });
    expect([status, headers["cache-status"]]).toEqual([304, "waymark; fwd=uri-miss; fwd-status=200; stored"]);
  });
});
