import { once } from "node:events";
import http, { type RequestListener } from "node:http";
import { afterEach, describe, expect, test } from "@jest/globals";
import { createAnswer, type GatewayOptions } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const running: (RunningGateway | Upstream)[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map(({ close }) => close()));
});

type Keys = Readonly<Record<string, unknown>>;

/** A gateway with the parts `a` and `b`, and one asked by values, in front of one upstream. */
async function startWhole(
  { a = {}, b = {}, users = {}, aggregate = {}, global = {} }: Readonly<Record<string, Keys>>,
  { answer = answerWithUrl, ...options }: GatewayOptions & { answer?: RequestListener } = {},
) {
  const upstream = await startUpstream(answer);
  const hosts = [{ Host: "127.0.0.1", Port: upstream.port }];
  const route = (Key: string, path: string, more: Keys) => ({
    Key,
    UpstreamPathTemplate: path,
    DownstreamPathTemplate: path,
    DownstreamHostAndPorts: hosts,
    ...more,
  });
  const byValues = [{ RouteKey: "users", JsonPath: "$[*].id", Parameter: "{id}" }];
  const gateway = await startGateway(
    {
      Routes: [route("a", "/a", a), route("b", "/b", b), route("users", "/users/{id}", users)],
      Aggregates: [
        { UpstreamPathTemplate: "/both", UpstreamHttpMethod: ["GET", "POST"], RouteKeys: ["a", "b"], ...aggregate },
        { UpstreamPathTemplate: "/values", RouteKeys: ["a", "users"], RouteKeysConfig: byValues, ...aggregate },
      ],
      GlobalConfiguration: global,
    },
    options,
  );
  running.push(upstream, gateway);
  return { upstream, origin: gateway.origin, gateway };
}

const answerWithUrl: RequestListener = (req, res) => {
  res.setHeader("content-type", "application/json");
  req.resume().on("end", () => res.end(JSON.stringify(req.url)));
};

function answersValues(values: unknown): RequestListener {
  return (req, res) => {
    if (req.url !== "/a") answerWithUrl(req, res);
    else
      res
        .setHeader("content-type", "application/json")
        .end(typeof values === "string" ? values : JSON.stringify(values));
  };
}

const key = "6ca13d52ca70c883e0f0bb101e425a89e8624de51db2d2392593af6a84118090"; // abc123
const schemes = { AuthenticationSchemes: { keys: { Type: "ApiKey", Keys: [{ Name: "tom", Sha256: key }] } } };

describe("The locks of the parts", () => {
  test.each<{ reason: string; keys: Readonly<Record<string, Keys>>; status: number }>([
    {
      reason: "a scheme of a part",
      keys: { b: { AuthenticationOptions: { AuthenticationProviderKeys: ["keys"] } }, global: schemes },
      status: 401,
    },
    {
      reason: "a scheme of a part, in its old spelling",
      keys: { b: { AuthenticationOptions: { AuthenticationProviderKey: "keys" } }, global: schemes },
      status: 401,
    },
    {
      reason: "a scheme of all routes",
      keys: { global: { ...schemes, AuthenticationOptions: { AuthenticationProviderKeys: ["keys"] } } },
      status: 401,
    },
    {
      reason: "a list of addresses of a part",
      keys: { b: { SecurityOptions: { IPBlockedList: ["127.0.0.0/8"] } } },
      status: 403,
    },
    {
      reason: "a list of addresses of all routes",
      keys: { global: { SecurityOptions: { IPAllowedList: ["10.0.0.1"] } } },
      status: 403,
    },
    { reason: "a limit of the body of a part", keys: { b: { Limits: { Url: 3 } } }, status: 414 },
  ])("$reason keeps all of them from being asked", async ({ keys, status }) => {
    const { upstream, origin } = await startWhole(keys);
    const answer = await fetch(`${origin}/both`);
    expect([answer.status, upstream.requests]).toEqual([status, []]);
  });

  test("A part that refuses is named, with the challenge of its scheme", async () => {
    const { origin } = await startWhole({
      b: { AuthenticationOptions: { AuthenticationProviderKey: "keys" } },
      global: schemes,
    });
    const failed = await fetch(`${origin}/both`);
    expect(failed.headers.get("www-authenticate")).toEqual(expect.any(String));
  });

  test("A part is never null where its lock refuses, whatever may fail", async () => {
    const { origin } = await startWhole({
      b: { AuthenticationOptions: { AuthenticationProviderKey: "keys" } },
      global: schemes,
      aggregate: { OnFailure: "Null" },
    });
    expect((await fetch(`${origin}/both`)).status).toBe(401);
  });

  test("Middleware is asked for each part, with its route and headers of its own", async () => {
    const seen: unknown[] = [];
    const { upstream, origin } = await startWhole(
      {},
      {
        middleware: [
          (req, res, next) => {
            seen.push([res.locals.route.id, req.headers["x-part"]]);
            req.headers["x-part"] = res.locals.route.id;
            next();
          },
        ],
      },
    );
    await fetch(`${origin}/both`);
    expect(seen).toEqual([
      ["a", undefined],
      ["b", undefined],
    ]);
    expect(upstream.requests.map(({ target, headers }) => [target, headers["x-part"]]).toSorted()).toEqual([
      ["/a", "a"],
      ["/b", "b"],
    ]);
  });

  test("Middleware that answers for one part answers for the whole", async () => {
    const { upstream, origin } = await startWhole(
      {},
      { middleware: [(_req, res, next) => (res.locals.route.id === "b" ? void res.sendStatus(418) : next())] },
    );
    expect((await fetch(`${origin}/both`)).status).toBe(418);
    expect(upstream.requests).toEqual([]);
  });

  test("next('router') leaves the gateway for the whole, as the request came", async () => {
    const { upstream, origin } = await startWhole(
      {},
      { middleware: [(_req, res, next) => (res.locals.route.id === "b" ? next("router") : next())] },
    );
    expect((await fetch(`${origin}/both`)).status).toBe(404);
    expect(upstream.requests).toEqual([]);
  });

  test("Each value is judged by the middleware, before any of them is asked for", async () => {
    const { upstream, origin } = await startWhole(
      {},
      {
        answer: answersValues([{ id: 1 }, { id: 0 }]),
        middleware: [(_req, res, next) => (res.locals.placeholders.id === "0" ? void res.sendStatus(403) : next())],
      },
    );
    expect((await fetch(`${origin}/values`)).status).toBe(403);
    expect(upstream.requests.map(({ target }) => target)).toEqual(["/a"]);
  });
});

describe("Calls of the parts", () => {
  test("A body goes to every part", async () => {
    const { upstream, origin } = await startWhole({});
    await fetch(`${origin}/both`, { method: "POST", body: "hello" });
    expect(upstream.requests.map(({ method, target, body }) => [method, target, body.toString()]).toSorted()).toEqual([
      ["POST", "/a", "hello"],
      ["POST", "/b", "hello"],
    ]);
  });

  test("A body that is longer than 1 MiB is refused, and none is sent", async () => {
    const { upstream, origin } = await startWhole({});
    const answer = await fetch(`${origin}/both`, { method: "POST", body: Buffer.alloc(1024 * 1024 + 1) });
    expect([answer.status, upstream.requests]).toEqual([413, []]);
  });

  test("Each call takes a place of Concurrent, the first one that of the whole", async () => {
    const fits = await startWhole({ global: { Limits: { Concurrent: 2 } } });
    expect((await fetch(`${fits.origin}/both`)).status).toBe(200);
    expect((await fetch(`${fits.origin}/both`)).status).toBe(200);
    const tooMany = await startWhole({ global: { Limits: { Concurrent: 1 } } });
    expect((await fetch(`${tooMany.origin}/both`)).status).toBe(503);
    expect((await fetch(`${tooMany.origin}/a`)).status).toBe(200);
  });

  test.each(engines)("A client that leaves ends all calls ($name)", async ({ create }) => {
    let open = 0;
    const closed: Promise<unknown>[] = [];
    let allThere: () => void;
    const arrived = new Promise<void>((resolve) => (allThere = resolve));
    const { origin } = await startWhole(
      {},
      {
        engine: create(),
        answer: (_req, res) => {
          closed.push(once(res, "close"));
          if ((open += 1) === 2) allThere();
        },
      },
    );
    const request = http.get(`${origin}/both`).on("error", () => undefined);
    await arrived;
    request.destroy();
    await Promise.all(closed);
  });

  test("A part that breaks off cuts the whole", async () => {
    const { origin } = await startWhole(
      {},
      {
        answer: (req, res) => {
          res.setHeader("content-type", "application/json");
          if (req.url === "/a") res.end("1");
          else res.write("[1,", () => res.destroy());
        },
      },
    );
    await expect(fetch(`${origin}/both`).then((answer) => answer.text())).rejects.toThrow();
  });

  test("A part that cannot be asked is null where that is meant, and its status is told", async () => {
    const { origin } = await startWhole({
      b: { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: 1 }] },
      aggregate: { OnFailure: "Null" },
    });
    const answer = await fetch(`${origin}/both`);
    expect(answer.headers.get("aggregate-status")).toBe('"a";status=200, "b";status=502');
    expect(await answer.text()).toBe('{"a":"/a","b":null}');
  });

  test("An aggregator gets a failed part with its error", async () => {
    const { origin } = await startWhole(
      { b: { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: 1 }] }, aggregate: { Aggregator: "tell" } },
      {
        aggregators: {
          tell: (parts) =>
            createAnswer({
              status: 200,
              body: parts.map(({ key, status, error }) => `${key} ${status} ${error !== undefined}`).join(),
            }),
        },
      },
    );
    expect(await (await fetch(`${origin}/both`)).text()).toBe("a 200 false,b 0 true");
  });
});

describe("Values of the first answer", () => {
  test("10,000 values are answered with 502 before any is asked for", async () => {
    const values = Array.from({ length: 10_000 }, (_, id) => ({ id }));
    const { upstream, origin } = await startWhole({}, { answer: answersValues(values) });
    expect((await fetch(`${origin}/values`)).status).toBe(502);
    expect(upstream.requests.map(({ target }) => target)).toEqual(["/a"]);
  });

  test("A hundred values are asked for, 16 at a time", async () => {
    let atOnce = 0;
    let most = 0;
    const values = Array.from({ length: 100 }, (_, id) => ({ id }));
    const first = answersValues(values);
    const { origin } = await startWhole(
      {},
      {
        answer: (req, res) => {
          if (req.url === "/a") return first(req, res);
          most = Math.max(most, (atOnce += 1));
          setImmediate(() => {
            atOnce -= 1;
            res.setHeader("content-type", "application/json").end(JSON.stringify(req.url));
          });
        },
      },
    );
    const { users } = (await (await fetch(`${origin}/values`)).json()) as { users: unknown[] };
    expect(users).toEqual(values.map(({ id }) => `/users/${id}`));
    expect(most).toBeLessThanOrEqual(16);
  });

  test.each([
    { reason: "no values: the first answer is the whole", values: [], whole: "[]" },
    { reason: "one value: its answer alone", values: [{ id: 7 }], whole: '{"a":[{"id":7}],"users":"/users/7"}' },
    {
      reason: "equal values: one call",
      values: [{ id: 7 }, { id: "7" }],
      whole: '{"a":[{"id":7},{"id":"7"}],"users":"/users/7"}',
    },
    {
      reason: "what is no value is left out",
      values: [
        { id: null },
        { id: {} },
        { id: "" },
        { id: ".." },
        { id: "a/../b" },
        { id: "%2e%2e" },
        { id: "x".repeat(257) },
      ],
      whole: undefined,
    },
    {
      reason: "a value stays in its segment",
      values: [{ id: "a/b?c#d" }],
      whole: '{"a":[{"id":"a/b?c#d"}],"users":"/users/a%2Fb%3Fc%23d"}',
    },
    {
      reason: "digits that no number holds",
      values: '[{"id":12345678901234567890}]',
      whole: '{"a":[{"id":12345678901234567890}],"users":"/users/12345678901234567890"}',
    },
  ])("$reason", async ({ values, whole }) => {
    const { origin } = await startWhole({}, { answer: answersValues(values) });
    expect(await (await fetch(`${origin}/values`)).text()).toBe(whole ?? JSON.stringify(values));
  });

  test.each([
    { reason: "no JSON", values: "oops" },
    { reason: "more than a hundred levels", values: "[".repeat(101) + "]".repeat(101) },
    { reason: "more than 1 MiB", values: `"${"x".repeat(1024 * 1024)}"` },
  ])("A first answer that is $reason is 502", async ({ values }) => {
    const { origin } = await startWhole({}, { answer: answersValues(values) });
    expect((await fetch(`${origin}/values`)).status).toBe(502);
  });
});
