import { buffer } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "@jest/globals";
import { createAnswer, type DelegatingHandler, type GatewayContext, type GatewayHandler } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";
import { type CachedRoute, type Got, startCachedRoute } from "./cached-route.ts";

let route: CachedRoute | undefined;
afterEach(async () => {
  await route?.close();
  route = undefined;
});

const internal: Readonly<Record<string, string>> = { ann: "ben", ben: "carl", carl: "dora" };

/** Sends on under another name than the client's. */
const rename: DelegatingHandler = async (outgoing, next) => {
  outgoing.headers["x-tenant"] = internal[String(outgoing.headers["x-tenant"])] ?? "nobody";
  return next();
};

/** Says by what the client can be told, as far as the service should know it. */
const tellRegion: DelegatingHandler = async (outgoing, next) => {
  outgoing.headers["x-region"] = `of ${String(outgoing.headers["x-place"])}`;
  return next();
};

/** Says it for one call alone. */
const tellRegionOnce: DelegatingHandler = async (outgoing, next) => {
  const answering = tellRegion(outgoing, next, {} as GatewayContext);
  delete outgoing.headers["x-region"];
  return answering;
};

/** Says it to itself, and answers in the place of the service. */
const answerByRegion: DelegatingHandler = async (outgoing) => {
  calls += 1;
  const region = (outgoing.headers["x-region"] = `of ${String(outgoing.headers["x-place"])}`);
  const headers = { vary: "X-Region", "cache-control": "max-age=60" };
  return createAnswer({ status: 200, headers, body: `for ${region}, call ${calls}` });
};

/** Answers for a region of which only it knows, and says so to nobody. */
const answerInSecret: DelegatingHandler = async (outgoing) => {
  const body = `for of ${String(outgoing.headers["x-place"])}`;
  return createAnswer({ status: 200, headers: { vary: "X-Region" }, body });
};

/** Says it under a name that services may take for the other one. */
const tellRegionOddly: DelegatingHandler = async (outgoing, next) => {
  outgoing.headers.x_region = `of ${String(outgoing.headers["x-place"])}`;
  return next();
};

const tellHost: DelegatingHandler = async (outgoing, next) => {
  outgoing.headers.host = `of ${String(outgoing.headers["x-place"])}`.replace(" ", ".");
  return next();
};

/** Keeps answers by itself, so that what stands behind it is not asked again. */
function keepByPlace(): DelegatingHandler {
  const kept = new Map<string, Parameters<typeof createAnswer>[0]>();
  return async (outgoing, next) => {
    const place = String(outgoing.headers["x-place"]);
    if (!kept.has(place)) {
      const { status, headers, body } = await next();
      kept.set(place, { status, headers, body: await buffer(body) });
    }
    return createAnswer(kept.get(place)!);
  };
}

const passOn: DelegatingHandler = (_outgoing, next) => next();
let calls = 0;

describe.each(engines)("a cache before the handlers, with $name", ({ create }) => {
  test.each(["Ttl", "Rfc"])(
    "gives nobody what was for somebody else under the name that a handler has made of his, with Mode %s",
    async (Mode) => {
      await start([rename], "X-Tenant", Mode);
      const got: string[] = [];
      for (const name of ["ann", "ben", "ann", "ben", "carl", "dora"]) got.push(whatCame(await askAs(name)));
      expect(got).toEqual([
        ...["for ben, call 1: stored", "for carl, call 2: stored", "for ben, call 1: hit", "for carl, call 2: hit"],
        ...["for dora, call 3: stored", "for nobody, call 4: stored"],
      ]);
    },
  );

  test("gives those who ask at the same time what is for them", async () => {
    await start([rename], "X-Tenant", "Ttl");
    const got = await Promise.all(["ann", "ben", "carl"].map(askAs));
    expect(got.map(({ body }) => body.split(",")[0])).toEqual(["for ben", "for carl", "for dora"]);
  });

  test.each([
    ["a handler", [tellRegion]],
    ["an inner handler", [passOn, tellRegion]],
    ["a handler in one call", [tellRegionOnce]],
    ["a handler that answers by itself", [answerByRegion]],
    ["an inner handler that answers by itself", [passOn, answerByRegion]],
  ])("keeps nothing that differs by a header of which only %s knows what it is made of", async (_who, handlers) => {
    calls = 0;
    await start(handlers, "X-Region", "Ttl");
    const ask = (place: string): Promise<Got> => route!.ask({ headers: { "x-place": place } });
    const got = [await ask("north"), await ask("south"), await ask("north")];
    expect(got.map(({ body }) => body)).toEqual([
      "for of north, call 1",
      "for of south, call 2",
      "for of north, call 3",
    ]);
  });

  test.each([
    ["a header that an inner handler has set for an earlier call", "X-Region", [keepByPlace(), tellRegion]],
    ["a header that a handler goes by without setting it", "X-Region", [answerInSecret]],
    ["a header that a handler has set in another spelling", "X-Region", [tellRegionOddly]],
    ["the host, which a handler has set", "Host", [tellHost]],
  ])("gives nobody else what differs by %s", async (_what, varying, handlers) => {
    await start(handlers, varying, "Ttl");
    const places = ["north", "north", "south", "north", "south"];
    for (const place of places) {
      const { body, headers } = await route!.ask({ headers: { "x-place": place } });
      expect([body, headers["cache-status"]]).toEqual([
        expect.stringMatching(`^for of.${place}`),
        expect.not.stringMatching(/stored|hit/),
      ]);
    }
  });

  test.each([
    ["a handler", []],
    ["an inner handler", [passOn]],
  ])("keeps nothing that %s has got by another method", async (_who, outer) => {
    const change: DelegatingHandler = (outgoing, next) => {
      outgoing.method = "PUT";
      return next();
    };
    await start([...outer, change], "X-Tenant", "Rfc");
    expect([(await askAs("ann")).body, (await askAs("ann")).body]).toEqual(["for ann, call 1", "for ann, call 2"]);
  });

  test.each([
    { what: "a redirect led to for an earlier request", first: "/me", handlers: [keepByPlace()], again: false },
    { what: "a redirect led to", first: "/me", handlers: [passOn], again: false },
    { what: "no redirect led to", first: "/page", handlers: [passOn], again: true },
  ])("on a route that follows redirects, gives again what $what: $again", async ({ first, handlers, again }) => {
    route = await startCachedRoute(
      {
        answer(req, res) {
          if (req.url === "/me") res.writeHead(302, { Location: "/page", "Cache-Control": "private" });
          res.end("page");
        },
      },
      {
        route: {
          CacheOptions: { TtlSeconds: 60, BeforeHandlers: true },
          HttpHandlerOptions: { AllowAutoRedirect: true },
        },
        options: { engine: create(), handlers },
      },
    );
    const got = [];
    for (let n = 0; n < 3; n += 1) got.push(await route.ask({ path: first }));
    expect(got.map(({ body, headers }) => [body, String(headers["cache-status"]).includes("; hit")])).toEqual([
      ["page", false],
      ["page", again],
      ["page", again],
    ]);
  });

  test("gives again what a handler in JavaScript has made, whose headers are numbers", async () => {
    const count: DelegatingHandler = async (_outgoing, next) => {
      const answer = await next();
      Object.assign(answer.headers, { "x-count": 5, "x-counts": [6, 7], "cache-control": 8 });
      return answer;
    };
    await start([count], "X-Tenant", "Ttl");
    const got = [await askAs("ann"), await askAs("ann")];
    expect(got.map(({ headers: { "x-count": one, "x-counts": several } }) => [one, several])).toEqual([
      ["5", "6, 7"],
      ["5", "6, 7"],
    ]);
    expect(got.map(whatCame)).toEqual(["for ann, call 1: stored", "for ann, call 1: hit"]);
  });

  test("keeps nothing of what a handler in JavaScript has made that cannot be sent", async () => {
    let calls = 0;
    const spoil: DelegatingHandler = async (_outgoing, next) => {
      const answer = await next();
      calls += 1;
      if (calls === 1) Object.assign(answer.headers, { "x-gone": undefined });
      return answer;
    };
    await start([spoil], "X-Tenant", "Ttl");
    await askAs("ann");
    const { status, headers } = await askAs("ann");
    expect([status, headers["x-gone"], calls]).toEqual([200, undefined, 2]);
  });

  test("gives again what differs by Host, which is the one of the service", async () => {
    route = await startCachedRoute({ headers: { Vary: "Host" } }, { options: { engine: create() } });
    expect([(await route.ask()).body, (await route.ask()).body]).toEqual(["answer 1", "answer 1"]);
  });

  async function start(handlers: readonly DelegatingHandler[], varying: string, Mode: string): Promise<void> {
    route = await startCachedRoute(
      {
        answer(req, res, call) {
          res.setHeader("Cache-Control", "max-age=60").setHeader("Vary", varying);
          const value = req.headers.x_region ?? req.headers[varying.toLowerCase()];
          res.end(`for ${String(value)}, call ${call}`);
        },
      },
      {
        route: { CacheOptions: { TtlSeconds: 60, Mode, BeforeHandlers: true } },
        options: { engine: create(), handlers },
      },
    );
  }

  function askAs(name: string): Promise<Got> {
    return route!.ask({ headers: { "x-tenant": name } });
  }
});

function whatCame({ body, headers }: Got): string {
  return `${body}: ${/stored|hit/.exec(String(headers["cache-status"]))?.[0]}`;
}

describe.each(engines)("what handlers before which a cache stands learn of a request, with $name", ({ create }) => {
  const byPlaceholder: DelegatingHandler = async (outgoing, next, { placeholders }) => {
    outgoing.headers["x-tenant"] = placeholders.tenant!;
    return next();
  };
  const own: DelegatingHandler = async (_outgoing, _next, { placeholders }) =>
    createAnswer({ status: 200, body: `for ${placeholders.tenant}` });
  const byUrl: DelegatingHandler = async (outgoing, next, { req }) => {
    outgoing.headers["x-tenant"] = req.url!.slice(1, 4);
    return next();
  };

  test.each<[what: string, handler: DelegatingHandler, template: string, paths: readonly string[]]>([
    ["a placeholder that is not sent", byPlaceholder, "/{tenant}/orders", ["/ann/orders", "/ben/orders"]],
    ["one of the query", byPlaceholder, "/orders?tenant={tenant}", ["/orders?tenant=ann", "/orders?tenant=ben"]],
    ["one of an answer of its own", own, "/{tenant}/orders", ["/ann/orders", "/ben/orders"]],
    ["the path", byUrl, "/{tenant}/orders", ["/ann/orders", "/ben/orders"]],
    ["a placeholder that middleware has set", own, "/orders", ["/orders", "/orders"]],
  ])("tells answers apart: %s", async (_what, handler, template, paths) => {
    const upstream = await startUpstream((req, res) => void res.end(`for ${String(req.headers["x-tenant"])}`));
    const config = {
      Routes: [
        {
          UpstreamPathTemplate: template,
          DownstreamPathTemplate: "/orders",
          DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
          CacheOptions: { TtlSeconds: 60, BeforeHandlers: true },
        },
      ],
    };
    const says: GatewayHandler = (req, res, next) => {
      if (template === "/orders") Object.assign(res.locals.placeholders as object, { tenant: req.headers["x-who"] });
      next();
    };
    const running = await startGateway(config, { engine: create(), handlers: [handler], middleware: [says] });
    try {
      for (const round of [1, 2]) {
        for (const [index, path] of paths.entries()) {
          const who = ["ann", "ben"][index]!;
          const answer = await fetch(`${running.origin}${path}`, { headers: { "x-who": who } });
          expect([round, await answer.text()]).toEqual([round, `for ${who}`]);
        }
      }
    } finally {
      await running.close();
      await upstream.close();
    }
  });
});
