import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import express from "express";
import {
  createAnswer,
  createGateway,
  type DelegatingHandler,
  type GatewayHandler,
  type GatewayOptions,
  type GivenHeaders,
  metadataResponder,
  parseConfig,
  type Responder,
} from "../../src/index.ts";
import { leastCost } from "../helpers/compare-costs.ts";
import { processorTimeUntil } from "../helpers/processor-time.ts";
import { engines } from "../helpers/engines.ts";
import { request } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { gatewayTo } from "./gateway-to.ts";

let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream((_req, res) => {
    res.writeHead(200, {
      "Set-Cookie": ["a=1", "b=2"],
      Vary: "Accept",
      Connection: "x-hop",
      "X-Hop": "1",
      "X-Own": "upstream",
    });
    res.end();
  });
});
afterAll(() => upstream.close());

async function ask(
  options: GatewayOptions,
  headers: Record<string, string>,
  settings: { trust?: unknown; global?: object } = {},
) {
  const config = {
    Routes: [
      {
        UpstreamPathTemplate: "/x",
        DownstreamPathTemplate: "/",
        DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
      },
    ],
    GlobalConfiguration: settings.global ?? {},
  };
  const gateway = createGateway(parseConfig(config, { logger: false }), { logger: false, ...options });
  const app = express();
  if (settings.trust !== undefined) app.set("trust proxy", settings.trust);
  app.use((_req, res, next) => {
    res.setHeader("Set-Cookie", "mine=0").setHeader("Vary", "Origin").setHeader("X-Own", "app");
    next();
  });
  app.use("/gw", gateway);
  const running = await serve(app, gateway);
  const answer = await request({ port: running.port, path: "/gw/x", headers: { host: "shop.example", ...headers } });
  await running.close();
  return { answer, arrived: upstream.requests.at(-1)!.headers };
}

const forwarded = (headers: Record<string, unknown>) =>
  ["for", "proto", "host", "prefix"].map((name) => headers[`x-forwarded-${name}`]);

describe("who asked", () => {
  test.each([
    ["an untrusted peer's word is replaced", {}, undefined, ["127.0.0.1", "http", "shop.example", "/gw"]],
    [
      "a trusted peer's word is kept, and it is appended",
      { trustProxy: "loopback" },
      undefined,
      ["1.2.3.4, 127.0.0.1", "https", "outer.example", "/a/gw"],
    ],
    [
      "the app's trust counts where there is no option",
      {},
      "loopback",
      ["1.2.3.4, 127.0.0.1", "https", "outer.example", "/a/gw"],
    ],
    ["the option goes over the app's", { trustProxy: false }, "loopback", ["127.0.0.1", "http", "shop.example", "/gw"]],
    [
      "other peers being trusted does not help",
      { trustProxy: "10.0.0.0/8" },
      undefined,
      ["127.0.0.1", "http", "shop.example", "/gw"],
    ],
  ])("%s", async (_title, options, trust, expected) => {
    const { arrived } = await ask(
      options,
      {
        "x-forwarded-for": "1.2.3.4",
        "x-forwarded-proto": "https",
        "x-forwarded-host": "outer.example",
        "x-forwarded-prefix": "/a",
      },
      { trust },
    );
    expect(forwarded(arrived)).toEqual(expected);
    expect(arrived.host).toBe(`127.0.0.1:${upstream.port}`);
  });

  test.each([
    "Forwarded",
    "X-Forwarded-Port",
    "X-Forwarded-Ssl",
    "X-Real-IP",
    "X-Original-URL",
    "X-Original-Host",
    "X-Rewrite-URL",
    "X-Client-Certificate",
  ])("%s of an untrusted peer is dropped, of a trusted one kept", async (name) => {
    const untrusted = await ask({}, { [name]: "spoofed" });
    const trusted = await ask({ trustProxy: true }, { [name]: "said" });
    expect([untrusted.arrived[name.toLowerCase()], trusted.arrived[name.toLowerCase()]]).toEqual([undefined, "said"]);
  });

  test.each([
    ["untrusted", {}],
    ["trusted", { trustProxy: true }],
  ])("Proxy of an %s peer is dropped", async (_kind, options) => {
    const { arrived } = await ask(options, { Proxy: "http://evil.example:3128" });
    expect(arrived.proxy).toBeUndefined();
  });

  test("Via stands in both directions only when asked for", async () => {
    const without = await ask({}, {});
    const along = await ask({ via: true }, {});
    expect([without.arrived.via, without.answer.headers.via]).toEqual([undefined, undefined]);
    expect([along.arrived.via, along.answer.headers.via]).toEqual(["1.1 waymark", "1.1 waymark"]);
  });
});

describe("the answer's headers", () => {
  test("cookies are appended, Vary is merged, hop-by-hop goes, elsewhere the upstream's win", async () => {
    const { answer } = await ask({}, {});
    expect(answer.headers["set-cookie"]).toEqual(["mine=0", "a=1", "b=2"]);
    expect([answer.headers.vary, answer.headers["x-own"], answer.headers["x-hop"]]).toEqual([
      "Origin, Accept",
      "upstream",
      undefined,
    ]);
  });

  test("a cookie that code sets under another spelling stands beside the upstream's", async () => {
    const sets: DelegatingHandler = async (_outgoing, next) => {
      const answer = await next();
      answer.headers["Set-Cookie"] = "c=3";
      return answer;
    };
    const { answer } = await ask({ handlers: [sets] }, {});
    expect(answer.headers["set-cookie"]).toEqual(["mine=0", "a=1", "b=2", "c=3"]);
  });

  test.each([[undefined], [null], [[]]])(
    "cookies that code removes under another spelling are gone: %j",
    async (none) => {
      const removes: DelegatingHandler = async (_outgoing, next) => {
        const answer = await next();
        answer.headers["Set-Cookie"] = none as never;
        return answer;
      };
      const { answer } = await ask({ handlers: [removes] }, {});
      expect(answer.headers["set-cookie"]).toEqual(["mine=0"]);
    },
  );
});

describe.each(engines)("headers that code gives as pairs: $name", ({ create }) => {
  const pairs: [string, string][] = [
    ["X-Given", "1"],
    ["ETag", '"1"'],
    ["set-cookie", "c=1"],
    ["Set-Cookie", "c=2"],
  ];
  const kinds: [what: string, give: () => GivenHeaders][] = [
    ["web Headers", () => new Headers(pairs)],
    ["a Map", () => new Map<string, string | string[]>([...pairs.slice(0, 2), ["set-cookie", ["c=1", "c=2"]]])],
    ["parameters", () => new URLSearchParams(pairs)],
    ["a list", () => pairs],
  ];
  const ways: [how: string, set: (given: GivenHeaders) => GatewayOptions][] = [
    ["to createAnswer()", (headers) => ({ handlers: [async () => createAnswer({ status: 200, headers })] })],
    ["to the answer of a service", (given) => ({ handlers: [changing((answer) => (answer.headers = given))] })],
    [
      "to an answer made by hand",
      (given) => ({
        handlers: [async () => ({ status: 200, statusText: "OK", headers: given as never, body: Readable.from([]) })],
      }),
    ],
    ["in a responder", (given) => ({ responder: (answer, _, respond) => ((answer.headers = given), respond()) })],
  ];

  function changing(change: (answer: Awaited<ReturnType<DelegatingHandler>>) => void): DelegatingHandler {
    return async (_outgoing, next) => {
      const answer = await next();
      change(answer);
      return answer;
    };
  }

  describe.each(kinds)("%s", (_what, give) => {
    test.each(ways)("reach the client: %s", async (_how, set) => {
      const { answer } = await ask({ engine: create(), ...set(give()) }, {});
      expect([answer.status, answer.headers["x-given"], answer.headers.etag]).toEqual([200, "1", '"1"']);
      expect(answer.headers["set-cookie"]).toEqual(["mine=0", "c=1", "c=2"]);
    });

    test("lose what speaks of a body that is then replaced", async () => {
      const replacing = changing((answer) => Object.assign(answer, { headers: give() }, { body: "new" }));
      const { answer } = await ask({ engine: create(), handlers: [replacing] }, {});
      expect([String(answer.body), answer.headers["x-given"], answer.headers.etag]).toEqual(["new", "1", undefined]);
    });

    test.each<[by: string, options: GatewayOptions]>([
      ["a handler", { handlers: [(outgoing, next) => ((outgoing.headers = give()), next())] }],
      [
        "an observer",
        { observers: [{ begin: () => ({ sending: (out) => void (out.headers = give()), ended: () => undefined }) }] },
      ],
    ])("reach the upstream: of %s", async (_by, options) => {
      const { arrived } = await ask({ engine: create(), ...options }, { "x-of-client": "1" });
      expect([arrived["x-given"], arrived["x-of-client"]]).toEqual(["1", undefined]);
      expect(arrived["set-cookie"]).toEqual(["c=1", "c=2"]);
    });
  });

  test.each<[what: string, given: Headers | Map<string, string>]>([
    ["web Headers", new Headers({ etag: '"1"' })],
    ["a Map", new Map([["ETag", '"1"']])],
  ])("take what is set in them behind a body: %s", async (_what, given) => {
    const setsLast = changing((answer) => {
      Object.assign(answer, { headers: given }, { body: "new" });
      given.set("cache-control", "private");
    });
    const { answer } = await ask({ engine: create(), handlers: [setsLast] }, {});
    expect([answer.headers["cache-control"], answer.headers.etag]).toEqual(["private", undefined]);
  });

  test("stay as they are where they are frozen, and a body is given behind them", async () => {
    const frozen = Object.freeze({ etag: '"1"', "x-given": "1" });
    const replacing = changing((answer) => Object.assign(answer, { headers: frozen }, { body: "new" }));
    const { answer } = await ask({ engine: create(), handlers: [replacing] }, {});
    expect([String(answer.body), answer.headers["x-given"], answer.headers.etag]).toEqual(["new", "1", undefined]);
  });

  test("are those that an object inherits, too", async () => {
    const made = createAnswer({ status: 200, headers: Object.create({ "cache-control": "private" }) as GivenHeaders });
    const { answer } = await ask({ engine: create(), handlers: [() => Promise.resolve(made)] }, {});
    expect(answer.headers["cache-control"]).toBe("private");
  });

  test("are what a responder of the package goes by that a responder calls", async () => {
    const tell = metadataResponder();
    const responder: Responder = (answer, context, respond) => {
      answer.body = "[1]";
      answer.headers = new Headers({ "content-type": "application/json", "GW-Route-Metadata": "forged" });
      return tell(answer, context, respond);
    };
    const { answer } = await ask({ engine: create(), responder }, {});
    expect([String(answer.body), answer.headers["gw-route-metadata"]]).toEqual([
      '{"Response": [1], "Metadata": {}}',
      undefined,
    ]);
  });

  test.each<[what: string, given: unknown]>([
    ["a text", "x-given: 1"],
    ["a list of names and values", ["x-given", "1"]],
    ["an iterator, which gives its pairs only once,", pairs.values()],
  ])("%s is no headers, and is told so", async (_what, given) => {
    const assigned = changing((answer) => (answer.headers = given as GivenHeaders));
    const lateResponder: Responder = (answer, _, respond) => {
      answer.headers = given as GivenHeaders;
      setImmediate(() => void respond());
    };
    for (const options of [{ handlers: [assigned] }, { responder: lateResponder }]) {
      const { answer } = await ask({ engine: create(), ...options }, {});
      expect([answer.status, String(answer.body)]).toEqual([500, expect.stringContaining("is not one of pairs")]);
    }
  });
});

describe("request ids", () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

  test.each([
    ["a sane one is passed on", "abc-123", /^abc-123$/],
    ["none becomes a new one", undefined, uuid],
    ["one with a blank is replaced", "a b", uuid],
    ["one of 129 characters is replaced", "x".repeat(129), uuid],
    ["one of 128 characters is passed on", "x".repeat(128), /^x{128}$/],
  ])("%s", async (_title, id, expected) => {
    const { answer, arrived } = await ask({}, id === undefined ? {} : { "x-request": id }, {
      global: { RequestIdKey: "X-Request" },
    });
    expect(arrived["x-request"]).toMatch(expected);
    expect(answer.headers["x-request"]).toBe(arrived["x-request"]);
  });

  test("nothing is added without the key", async () => {
    const { answer } = await ask({}, { "x-request": "1" });
    expect(answer.headers["x-request"]).toBeUndefined();
  });
});

describe.each(engines)("names that an upstream may take for one: $name", ({ create }) => {
  async function arriving(
    options: GatewayOptions,
    headers: Record<string, string>,
    route: object = {},
  ): Promise<Record<string, unknown>> {
    const gateway = gatewayTo(upstream.port, { engine: create(), ...options }, route);
    const running = await serve(gateway, gateway);
    const { status } = await request({ port: running.port, path: "/x", headers });
    await running.close();
    expect(status).toBe(200);
    return { ...upstream.requests.at(-1)!.headers };
  }

  test("a trusted proxy says who the client is in one spelling only", async () => {
    const headers = { "X-Forwarded-For": "10.1.1.1", X_Forwarded_For: "6.6.6.6", X_Real_IP: "6.6.6.6" };
    const arrived = await arriving({ trustProxy: true }, headers);
    expect(arrived["x-forwarded-for"]).toBe("10.1.1.1, 127.0.0.1");
    expect(Object.values(arrived)).not.toContain("6.6.6.6");
  });

  test("what a delegating handler sets has one spelling", async () => {
    const handler: DelegatingHandler = (outgoing, next) => {
      outgoing.headers["x-user"] = "checked";
      return next();
    };
    const arrived = await arriving({ handlers: [handler] }, { X_User: "root", "X.User": "root" });
    expect([arrived["x-user"], Object.values(arrived).includes("root")]).toEqual(["checked", false]);
  });

  test("what middleware sets with underscores is not the client's either", async () => {
    const middleware: GatewayHandler = (req, _res, next) => {
      req.headers.x_user = "checked";
      next();
    };
    const arrived = await arriving({ middleware: [middleware] }, { "X-User": "root" });
    expect([arrived.x_user, arrived["x-user"]]).toEqual(["checked", undefined]);
  });

  const users: readonly Record<string, string>[] = [
    { X_User: "checked", "X-User": "root" },
    { "X-User": "root", X_User: "checked" },
    { X_User: "checked", "X.User": "root" },
    { "X.User": "root", X_User: "checked", "X-User": "root" },
  ];

  test.each(users)("nor where the client guesses what will be set: %j", async (headers) => {
    const middleware: GatewayHandler = (req, _res, next) => {
      req.headers.x_user = "checked";
      next();
    };
    const handler: DelegatingHandler = (outgoing, next) => {
      outgoing.headers.x_user = "checked";
      return next();
    };
    for (const options of [{ middleware: [middleware] }, { handlers: [handler] }]) {
      const arrived = await arriving(options, headers);
      expect([arrived.x_user, Object.values(arrived).includes("root")]).toEqual(["checked", false]);
    }
  });

  test("the first of several spellings is left where none has hyphens", async () => {
    const seen: unknown[] = [];
    const middleware: GatewayHandler = (req, _res, next) => {
      seen.push(req.headers["x.user"], req.headers.x_user, req.headersDistinct["x.user"]);
      next();
    };
    const arrived = await arriving({ middleware: [middleware] }, { X_User: "a", "X.User": "b" });
    expect([arrived.x_user, arrived["x.user"], ...seen]).toEqual(["a", undefined, undefined, "a", undefined]);
  });

  test("the request id has one spelling", async () => {
    const route = { RequestIdKey: "X-Request-Id" };
    const arrived = await arriving({}, { X_Request_Id: "forged" }, route);
    expect([typeof arrived["x-request-id"], arrived.x_request_id]).toEqual(["string", undefined]);
  });

  test.each([
    ["X-Tenant", { "X-Tenant": "a", X_Tenant: "b" }, { "x-tenant": "a" }],
    ["X_Tenant", { "X-Tenant": "b", X_Tenant: "a" }, { x_tenant: "a" }],
  ])("the header that the route compares has one spelling: %s", async (name, headers, expected) => {
    const arrived = await arriving({}, headers, { UpstreamHeaderTemplates: { [name]: "a" } });
    expect(arrived).toMatchObject(expected);
    expect(Object.values(arrived)).not.toContain("b");
  });

  test("hundreds of spellings take no time", async () => {
    const headers = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`a_${index}`, "1"]));
    const suspected = () => processorTimeUntil(() => arriving({}, headers));
    expect(await leastCost({ suspected, most: 300_000 })).toBeLessThan(300_000);
  });
});
