import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { explainRequest } from "../../src/explain/explain-request.ts";
import { maskByConfig } from "../../src/explain/mask-by-config.ts";
import { printExplanation } from "../../src/explain/print-explanation.ts";
import { createAnswer, createGateway, type GatewayOptions, parseConfig, upgradeThrough } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { request, sendBytes } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const ends: (() => Promise<unknown>)[] = [];
let upstream: Upstream;
let answered: OutgoingHttpHeaders = {};

beforeAll(async () => {
  upstream = await startUpstream((req, res) => {
    res.writeHead(200, answered);
    req.on("end", () => res.end()).resume();
  });
});

afterEach(async () => {
  upstream.requests.splice(0);
  answered = {};
  for (const end of ends.splice(0).reverse()) await end();
});

afterAll(() => upstream.close());

type Transforms = Readonly<Record<string, unknown>>;
type Given = Readonly<{
  up?: Transforms;
  down?: Transforms;
  route?: object;
  global?: object;
  options?: GatewayOptions;
}>;

function configOf({ up, down, route, global }: Given) {
  const Routes = [
    {
      ...{ UpstreamPathTemplate: "/x", DownstreamPathTemplate: "/x" },
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
      ...{ UpstreamHeaderTransform: up, DownstreamHeaderTransform: down, ...route },
    },
  ];
  return parseConfig({ Routes, GlobalConfiguration: { ...global } }, { logger: false });
}

async function start(given: Given): Promise<number> {
  const gateway = createGateway(configOf(given), { logger: false, ...given.options });
  const running = await serve(gateway, gateway);
  running.server.on("upgrade", upgradeThrough(gateway, { logger: false }));
  ends.push(running.close);
  return running.port;
}

/** What arrives of a request. */
async function arriving(given: Given, headers: OutgoingHttpHeaders): Promise<IncomingHttpHeaders> {
  const port = await start(given);
  await request({ port, path: "/x", headers });
  return upstream.requests[0]!.headers;
}

/** What a client gets of an answer. */
async function answering(given: Given, headers: OutgoingHttpHeaders): Promise<IncomingHttpHeaders> {
  answered = headers;
  const port = await start(given);
  return (await request({ port, path: "/x" })).headers;
}

describe("a request's headers", () => {
  const option = (text: string | undefined): GatewayOptions => ({ headerPlaceholders: { Own: () => text } });
  const rows: [reason: string, given: Given, sent: OutgoingHttpHeaders, arrived: Record<string, unknown>][] = [
    [
      "Set replaces what the client sent, commas and all",
      { up: { "X-A": { Set: "a, b" } } },
      { "x-a": "c" },
      { "x-a": "a, b" },
    ],
    ["Set to nothing removes", { up: { "X-A": { Set: "" } } }, { "x-a": "c" }, { "x-a": undefined }],
    ["Append adds a line", { up: { "X-A": { Append: "b" } } }, { "x-a": "a" }, { "x-a": "a, b" }],
    ["Append adds a cookie", { up: { Cookie: { Append: "b=2" } } }, { cookie: "a=1" }, { cookie: "a=1; b=2" }],
    ["Append begins a header", { up: { "X-A": { Append: "b" } } }, {}, { "x-a": "b" }],
    [
      "Remove removes, and with it what CGI takes for the same name",
      { up: { "X-Admin": { Remove: true } } },
      { "x-admin": "1", X_Admin: "1", "X.Admin": "1" },
      { "x-admin": undefined, x_admin: undefined, "x.admin": undefined },
    ],
    ["so does an empty text", { up: { "X-Admin": "" } }, { X_Admin: "1" }, { x_admin: undefined }],
    ["and a text that is set", { up: { "X-Admin": "no" } }, { X_Admin: "1" }, { "x-admin": "no", x_admin: undefined }],
    [
      "Find may have commas",
      { up: { "X-A": { Find: "a,b", Replace: "c,d" } } },
      { "x-a": "1a,b2a,b" },
      { "x-a": "1c,d2c,d" },
    ],
    ["a replacement is literal", { up: { "X-A": "a, [$&$1$$]" } }, { "x-a": "1a2" }, { "x-a": "1[$&$1$$]2" }],
    ["what was put in is not looked through again", { up: { "X-A": "a, aa" } }, { "x-a": "aaa" }, { "x-a": "aaaaaa" }],
    ["nor is it together with what stands beside it", { up: { "X-A": "ab, a" } }, { "x-a": "abb" }, { "x-a": "ab" }],
    ["what is found is no pattern", { up: { "X-A": "(a+)+$, b" } }, { "x-a": "aaaa" }, { "x-a": "aaaa" }],
    ["an emptied header goes", { up: { "X-A": "a," } }, { "x-a": "aa" }, { "x-a": undefined }],
    [
      "a header that Connection names is the gateway's once it is set",
      { up: { "X-A": "own" } },
      { connection: "x-a", "x-a": "c" },
      { "x-a": "own" },
    ],
    [
      "a placeholder's value is not looked through for others",
      { up: { "X-A": "{Own}" }, options: option("{UpstreamHost} $&") },
      {},
      { "x-a": "{UpstreamHost} $&" },
    ],
    [
      "a value with a line break sets nothing, and the client's goes",
      { up: { "X-A": "{Own}" }, options: option("a\r\nX-Evil: 1") },
      { "x-a": "c" },
      { "x-a": undefined, "x-evil": undefined },
    ],
    [
      "nor does one beyond Latin-1",
      { up: { "X-A": "b{Own}" }, options: option("\u{2028}") },
      { "x-a": "c" },
      { "x-a": undefined },
    ],
    ["nor does nothing", { up: { "X-A": "b{Own}" }, options: option(undefined) }, { "x-a": "c" }, { "x-a": undefined }],
    [
      "the name of an inherited member is no placeholder",
      { up: { "X-A": "{constructor}{toString}" } },
      { "x-a": "c" },
      { "x-a": undefined },
    ],
    [
      "the client's address is not forged",
      { up: { "X-A": "{RemoteIpAddress}" } },
      { "x-forwarded-for": "10.0.0.1" },
      { "x-a": "127.0.0.1" },
    ],
    [
      "a trusted proxy says it",
      { up: { "X-A": "{RemoteIpAddress}" }, options: { trustProxy: 1 } },
      { "x-forwarded-for": "::ffff:10.0.0.1" },
      { "x-a": "10.0.0.1" },
    ],
    [
      "but says nothing with what is no address",
      { up: { "X-A": "{RemoteIpAddress}" }, options: { trustProxy: 1 } },
      { "x-a": "c", "x-forwarded-for": "unknown" },
      { "x-a": undefined },
    ],
    [
      "the trace is that of traceparent",
      { up: { "X-A": "{TraceId}" } },
      { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
      { "x-a": "0af7651916cd43dd8448eb211c80319c" },
    ],
    [
      "an ill-formed traceparent names none",
      { up: { "X-A": "{TraceId}" } },
      { traceparent: "00-zz-b7ad6b7169203331-01" },
      { "x-a": undefined },
    ],
    ["the gateway has its own Host for the upstream", { up: { Host: "evil.example" } }, {}, { host: undefined }],
    [
      "middleware comes before",
      {
        up: { "X-A": "a, b" },
        options: {
          middleware: [
            (req, _res, next) => {
              req.headers["x-a"] = "a";
              next();
            },
          ],
        },
      },
      {},
      { "x-a": "b" },
    ],
    [
      "handlers come behind",
      {
        up: { "X-A": "b" },
        options: {
          handlers: [
            (outgoing, next) => {
              outgoing.headers["x-b"] = outgoing.headers["x-a"]!;
              return next();
            },
          ],
        },
      },
      {},
      { "x-b": "b" },
    ],
    [
      "a route's entry goes before the global one, in any case",
      { up: { "x-a": "route" }, global: { UpstreamHeaderTransform: { "X-A": "global", "X-B": "global" } } },
      {},
      { "x-a": "route", "x-b": "global" },
    ],
  ];

  describe.each(engines)("by $name", ({ create }) => {
    test.each(rows)("%s", async (_reason, given, sent, arrived) => {
      const headers = await arriving({ ...given, options: { ...given.options, engine: create() } }, sent);
      const expected =
        arrived.host === undefined && "host" in arrived ? { host: `127.0.0.1:${upstream.port}` } : arrived;
      for (const [name, value] of Object.entries(expected)) expect([name, headers[name]]).toEqual([name, value]);
    });
  });

  test("a header that grows too long refuses the request", async () => {
    const port = await start({ up: { "X-A": { Find: "a", Replace: "b".repeat(1_000) } } });
    const { status } = await request({ port, path: "/x", headers: { "x-a": "a".repeat(10_000) } });
    expect({ status, arrived: upstream.requests }).toEqual({ status: 431, arrived: [] });
  });
});

describe("an answer's headers", () => {
  const rows: [reason: string, down: Transforms, answered: OutgoingHttpHeaders, got: Record<string, unknown>][] = [
    ["Set replaces what the downstream sent", { "X-A": { Set: "own" } }, { "X-A": ["1", "2"] }, { "x-a": "own" }],
    [
      "Remove removes all lines",
      { "Set-Cookie": { Remove: true } },
      { "Set-Cookie": ["a=1", "b=2"] },
      { "set-cookie": undefined },
    ],
    [
      "Append adds a line",
      { "Set-Cookie": { Append: "c=3" } },
      { "Set-Cookie": ["a=1", "b=2"] },
      { "set-cookie": ["a=1", "b=2", "c=3"] },
    ],
    ["Append begins a header", { "Set-Cookie": { Append: "c=3" } }, {}, { "set-cookie": ["c=3"] }],
    [
      "all lines are looked through",
      { "Set-Cookie": { Find: "Secure", Replace: "Secure; HttpOnly" } },
      { "Set-Cookie": ["a=1; Secure", "b=2; Secure"] },
      { "set-cookie": ["a=1; Secure; HttpOnly", "b=2; Secure; HttpOnly"] },
    ],
    [
      "a text is added only where there is none",
      { "X-A": "gateway", "X-B": "gateway" },
      { "x-a": "own" },
      { "x-a": "own", "x-b": "gateway" },
    ],
    [
      "the downstream's address is a placeholder, too",
      { "X-A": "{DownstreamBaseUrl}/a" },
      {},
      { "x-a": "http://127.0.0.1:{{port}}/a" },
    ],
  ];

  test.each(rows)("%s", async (_reason, down, sent, got) => {
    const headers = await answering({ down }, sent);
    for (const [name, value] of Object.entries(got)) {
      const expected = typeof value === "string" ? value.replace("{{port}}", String(upstream.port)) : value;
      expect([name, headers[name]]).toEqual([name, expected]);
    }
  });

  const redirects: [reason: string, location: string, becomes: string][] = [
    ["path and query stay", "http://{{host}}/p?q=1#f", "https://api.example.org/gw/p?q=1#f"],
    ["a query may follow at once", "http://{{host}}?q=1", "https://api.example.org/gw/?q=1"],
    ["nothing need follow", "http://{{host}}", "https://api.example.org/gw/"],
    ["host and scheme in capitals are the same", "HTTP://{{host}}/P", "https://api.example.org/gw/P"],
    ["a longer port is another one", "http://{{host}}1/p", "http://{{host}}1/p"],
    ["a user name is none of ours", "http://{{host}}@evil.example/", "http://{{host}}@evil.example/"],
    ["a longer name is another one", "http://{{host}}.evil.example/", "http://{{host}}.evil.example/"],
    ["another host stays", "http://other.example/http", "http://other.example/http"],
    [
      "everywhere in the value",
      "http://{{host}}/a http://{{host}}/b",
      "https://api.example.org/gw/a https://api.example.org/gw/b",
    ],
  ];

  test.each(redirects)("redirects of the downstream become the gateway's: %s", async (_reason, location, becomes) => {
    const fill = (text: string) => text.replaceAll("{{host}}", `127.0.0.1:${upstream.port}`);
    const given = {
      down: { Location: "{DownstreamBaseUrl}, {BaseUrl}/gw/" },
      global: { BaseUrl: "https://api.example.org" },
    };
    expect((await answering(given, { Location: fill(location) })).location).toBe(fill(becomes));
  });

  test("a default port may stand there or not, and what stands around is compared", async () => {
    const given = (Location: string): Given => ({
      down: { Location },
      route: { DownstreamHostAndPorts: [{ Host: "svc.test", Port: 80 }] },
      options: {
        handlers: [
          () => Promise.resolve(createAnswer({ status: 302, headers: { LOCATION: "http://svc.test:80/old/p" } })),
        ],
      },
    });
    const locationOf = async (find: string) => {
      const port = await start(given(`${find}, https://new.test/`));
      return (await request({ port, path: "/x" })).headers.location;
    };
    expect(await locationOf("{DownstreamBaseUrl}")).toBe("https://new.test/old/p");
    expect(await locationOf("{DownstreamBaseUrl}/old/")).toBe("https://new.test/p");
    expect(await locationOf("{DownstreamBaseUrl}/other/")).toBe("http://svc.test:80/old/p");
  });

  test("an answer that a handler gives to several clients is each one's own", async () => {
    const shared = createAnswer({ status: 200, headers: { "X-A": "a" }, body: "same" });
    const port = await start({
      down: { "X-A": { Append: "{UpstreamHost}" } },
      options: { handlers: [() => Promise.resolve(shared)] },
    });
    const get = (host: string) => request({ port, path: "/x", headers: { host } });
    const answers = await Promise.all([get("one.test"), get("two.test")]);
    expect(answers.map(({ headers, body }) => [headers["x-a"], String(body)])).toEqual([
      ["a, one.test", "same"],
      ["a, two.test", "same"],
    ]);
    expect(shared.headers).toEqual({ "x-a": "a" });
  });

  test("a refusal of the gateway has none of them", async () => {
    const port = await start({ down: { "X-A": "own" }, route: { SecurityOptions: { IPBlockedList: ["127.0.0.1"] } } });
    const { status, headers } = await request({ port, path: "/x" });
    expect([status, headers["x-a"]]).toEqual([403, undefined]);
  });

  test.each<[what: string, lines: string | string[]]>([
    ["a header", "a".repeat(10_000)],
    ["one of many lines, all together,", Array.from({ length: 100 }, () => "a")],
  ])("%s that grows too long is no answer", async (_what, lines) => {
    answered = { "X-A": lines };
    const port = await start({ down: { "X-A": { Find: "a", Replace: "b".repeat(1_000) } } });
    expect((await request({ port, path: "/x" })).status).toBe(502);
  });
});

test("an upgrade has its headers changed, both ways", async () => {
  upstream.server.once("upgrade", (req, socket) => {
    const accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
    socket.end(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\nX-Got: ${String(req.headers["x-a"])}\r\n\r\n`,
    );
  });
  const port = await start({
    up: { "X-A": "up" },
    down: { "X-D": "down", "X-Got": "up, heard" },
    route: { AllowUpgrade: true },
  });
  const answer = await sendBytes(
    port,
    "GET /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  );
  expect(answer).toMatch(/^HTTP\/1.1 101 [^]*x-got: heard\r\n[^]*x-d: down\r\n/i);
});

describe("what stops the start", () => {
  const rows: [reason: string, given: Given, code: string][] = [
    ["a name that is none", { up: { "X A": "b" } }, "header-name-invalid"],
    ["a header that frames", { down: { "Content-Length": "1" } }, "header-name-reserved"],
    ["a header of one connection", { up: { TE: "trailers" } }, "header-name-reserved"],
    ["an empty find", { up: { "X-A": ",b" } }, "transform-invalid"],
    ["an empty Find", { up: { "X-A": { Find: "", Replace: "b" } } }, "transform-invalid"],
    ["a line break", { down: { "X-A": { Append: "a\nb" } } }, "transform-invalid"],
    ["a letter beyond ASCII", { up: { "X-A": "ä" } }, "transform-invalid"],
    ["two things at once", { up: { "X-A": { Set: "a", Append: "b" } } }, "transform-invalid"],
    ["half of a pair", { up: { "X-A": { Find: "a" } } }, "transform-invalid"],
    ["an unknown member", { up: { "X-A": { Put: "a" } } }, "transform-invalid"],
    ["a list", { up: { "X-A": ["a"] } }, "transform-invalid"],
    ["null", { up: { "X-A": null } }, "transform-invalid"],
    ["Remove: false", { up: { "X-A": { Remove: false } } }, "transform-invalid"],
    ["a list of transforms", { global: { UpstreamHeaderTransform: ["a"] } }, "wrong-type"],
    ["names that differ by case", { up: { "X-A": "a", "x-a": "b" } }, "key-repeated"],
  ];
  test.each(rows)("%s", (_reason, given, code) => {
    expect(() => configOf(given)).toThrow(expect.objectContaining({ problems: [expect.objectContaining({ code })] }));
  });

  test("Host on requests is warned of", () => {
    expect(configOf({ up: { host: "a" } }).warnings).toMatchObject([{ code: "transform-without-effect" }]);
  });

  test("an unknown placeholder is told once, and one that differs by case stops the start", async () => {
    const told: unknown[] = [];
    const note = (fields: unknown): void => void told.push(fields);
    const logger = { error: note, warn: note, info: () => undefined, debug: () => undefined };
    const config = configOf({ global: { UpstreamHeaderTransform: { "X-A": "{BaseUrl}" } } });
    const gateway = createGateway(config, { logger });
    ends.push(() => gateway.close({ grace: 0 }));
    expect(told).toEqual([{ header: "x-a", placeholder: "BaseUrl" }]);
    const own = { headerPlaceholders: { Team: () => "blue" }, logger: false } as const;
    expect(() => createGateway(configOf({ up: { "X-A": "{team}" } }), own)).toThrow(
      expect.objectContaining({ code: "name-unknown" }),
    );
    expect(() => createGateway(config, { headerPlaceholders: { "{Team}": () => "blue" } })).toThrow(
      expect.objectContaining({ code: "option-invalid" }),
    );
  });
});

test("explain shows what is sent, and says what becomes of the answer, secrets masked", () => {
  const config = configOf({
    up: { "X-A": "{RemoteIpAddress} {UpstreamHost} {Own}", "X-B": "", Authorization: "Basic c2VjcmV0" },
    down: {
      Location: "{DownstreamBaseUrl}, {BaseUrl}",
      "X-D": "own",
      "Set-Cookie": { Append: "a=1" },
      Server: { Remove: true },
    },
  });
  const explained = explainRequest(config, { method: "GET", path: "/x", host: "a.test", headers: { "X-B": "1" } });
  const shown = maskByConfig(config, explained).forwarded!;
  expect(shown.headers).toMatchObject({ "x-a": "<address of the client> a.test <{Own}>", authorization: "***" });
  expect(shown.headers).not.toHaveProperty("x-b");
  expect(shown.answerHeaders).toEqual({
    location: "{DownstreamBaseUrl} becomes {BaseUrl}",
    "x-d": "own, unless the downstream sends it",
    "set-cookie": "***",
    server: "removed",
  });
  expect(printExplanation(maskByConfig(config, explained))).toContain("Changed in the answer:\n  location: ");
});

test("a reload that changes the gateway's address changes what names it", async () => {
  const given = (BaseUrl: string): Given => ({
    global: { BaseUrl, DownstreamHeaderTransform: { "X-B": "{BaseUrl}" } },
  });
  const gateway = createGateway(configOf(given("https://one.example")), { logger: false });
  const { port, close } = await serve(gateway, gateway);
  ends.push(close);
  expect((await request({ port, path: "/x" })).headers["x-b"]).toBe("https://one.example");
  await gateway.reload(configOf(given("https://two.example")));
  expect((await request({ port, path: "/x" })).headers["x-b"]).toBe("https://two.example");
});
