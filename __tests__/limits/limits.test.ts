import { describe, expect, test } from "@jest/globals";
import { type GatewayOptions, upgradeThrough } from "../../src/index.ts";
import { compileLimits } from "../../src/capabilities/limits/route-limits.ts";
import { ok, request, type Scene, setScene } from "../faults/scene.ts";
import type { Wire } from "../faults/wire.ts";
import { engines } from "../helpers/engines.ts";

test("the defaults: 8 KiB of URL, 5 s to connect, 60 s of a stalled upload, and no other limit", () => {
  expect(compileLimits()).toMatchObject({
    body: undefined,
    url: 8_192,
    header: undefined,
    concurrent: undefined,
    connect: 5_000,
    upload: 60_000,
  });
});

test.each([
  ["the route's own over all", { Body: 1 }, { Body: 2 }, { body: 3 }, 1],
  ["those of all routes over the options", {}, { Body: 2 }, { body: 3 }, 2],
  ["the options over the defaults", {}, {}, { body: 3 }, 3],
])("%s", (_name, route, global, options, body) => {
  expect(compileLimits(route, global, options).body).toBe(body);
});

test("a time longer than a timer can count is the longest there is", () => {
  expect(compileLimits({}, {}, { connect: Infinity, upload: 1e9 })).toMatchObject({
    connect: 2 ** 31 - 1,
    upload: 2 ** 31 - 1,
  });
});

type Level = Readonly<{
  name: string;
  options: (limits: Record<string, number>) => { gateway?: GatewayOptions; route?: object; global?: object };
}>;

const capitalised = (limits: Record<string, number>) =>
  Object.fromEntries(Object.entries(limits).map(([name, value]) => [name[0]!.toUpperCase() + name.slice(1), value]));

const levels: readonly Level[] = [
  { name: "of the options", options: (limits) => ({ gateway: { limits } }) },
  { name: "of all routes", options: (limits) => ({ global: { Limits: capitalised(limits) } }) },
  { name: "of one route", options: (limits) => ({ route: { Limits: capitalised(limits) } }) },
];

const answering = ({ socket, write }: Wire): void => {
  socket.on("data", (bytes: string) => bytes.match(/\r\n\r\n/g)?.forEach(() => write(ok)));
};

const sized: readonly (readonly [string, Record<string, number>, string, string])[] = [
  ["body: as long as it may be", { body: 5 }, `${request("POST", "/x", "Content-Length: 5")}01234`, "200 OK"],
  ["body: too long", { body: 5 }, `${request("POST", "/x", "Content-Length: 6")}012345`, "413 "],
  ["body: too long, and not there yet", { body: 5 }, request("POST", "/x", "Content-Length: 6"), "413 "],
  [
    "body: in chunks, as long as it may be",
    { body: 5 },
    `${request("POST", "/x", "Transfer-Encoding: chunked")}5\r\n01234\r\n0\r\n\r\n`,
    "200 OK",
  ],
  [
    "body: in chunks, too long",
    { body: 5 },
    `${request("POST", "/x", "Transfer-Encoding: chunked")}5\r\n01234\r\n1\r\n5\r\n0\r\n\r\n`,
    "413 ",
  ],
  [
    "body: in chunks, too long, without an end",
    { body: 5 },
    `${request("POST", "/x", "Transfer-Encoding: chunked")}6\r\n012345\r\n`,
    "413 ",
  ],
  ["url: as long as it may be", { url: 10 }, request("GET", "/123456789"), "200 OK"],
  ["url: too long", { url: 10 }, request("GET", "/1234567890"), "414 "],
  ["url: too long by its query", { url: 10 }, request("GET", "/1?23456789"), "414 "],
  ["header: as large as they may be", { header: 50 }, request("GET", "/x", `A: ${"a".repeat(27)}`), "200 OK"],
  ["header: too large", { header: 50 }, request("GET", "/x", `A: ${"a".repeat(50)}`), "431 "],
];

const perEngine = engines.flatMap(({ name: engine, create }) =>
  levels.map((level) => ({ ...level, name: `${level.name}, ${engine}`, create })),
);

describe.each(perEngine)("limits $name", ({ options, create }) => {
  test.each(sized)("%s", async (_name, limits, send, status) => {
    const scene = await setScene(create(), { ...options(limits), serveOne: answering });
    const { write, until } = scene.client();
    write(send);
    await until(`HTTP/1.1 ${status}`);
    await scene.leave();
  });

  test("concurrent: the one too many is turned away, until another is done", async () => {
    const scene = await setScene(create(), options({ concurrent: 2 }));
    const [first, second] = [await begin(scene), await begin(scene)];
    await turnedAway(scene);
    first.upstream.socket.end(lastAnswer);
    await first.client.until("200 OK");
    const third = await begin(scene);
    second.client.socket.destroy();
    await second.upstream.ended;
    const fourth = await begin(scene);
    await turnedAway(scene);
    third.upstream.socket.destroy();
    await third.client.until("502 ");
    fourth.upstream.socket.end(lastAnswer);
    await fourth.client.until("200 OK");
    await scene.leave();
  });
});

const lastAnswer = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

async function begin(scene: Scene): Promise<Readonly<{ client: Wire; upstream: Wire }>> {
  const client = scene.client();
  client.write(request("POST", "/x", "Connection: close"));
  const upstream = await scene.upstream.next();
  await upstream.until("\r\n\r\n");
  return { client, upstream };
}

async function turnedAway(scene: Scene): Promise<void> {
  const { write, until, received } = scene.client();
  write(request("GET", "/x"));
  await until('"code":"overloaded"');
  expect(received()).toMatch(/^HTTP\/1.1 503 [^]*retry-after: 1\r\n/i);
}

describe.each(engines)("fields of which Node may have left out some, $name", ({ create }) => {
  const locked = { AuthenticationOptions: { AuthenticationProviderKeys: ["None"] } };
  const nobody = { authentication: { None: () => undefined } };
  const preflight = ["Origin: https://a.test", "Access-Control-Request-Method: GET"];
  const opening = [
    ...["Connection: Upgrade", "Upgrade: websocket"],
    ...["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="],
  ];

  type Row = Readonly<{ what: string; most: number | undefined; count: number }> &
    Readonly<{ method?: string; fields?: readonly string[]; route?: object; passed?: string }>;
  const opened = { route: { DownstreamScheme: "ws" }, passed: '"code":"upgrade-not-accepted"' };

  test.each<Row>([
    { what: "by default", most: undefined, count: 1_000 },
    { what: "as the server says", most: 20, count: 20 },
    { what: "of a preflight", most: 20, count: 20, method: "OPTIONS", fields: preflight, route: locked },
    { ...opened, what: "of a WebSocket", most: 20, count: 20, fields: opening },
  ])("$what: as many as are read are refused", async ({ most, count, method = "GET", fields = [], ...rest }) => {
    const { route = {}, passed = "HTTP/1.1 200 OK" } = rest;
    const scene = await setScene(create(), { route, serveOne: answering, gateway: nobody });
    const { server, gateway } = scene.running;
    server.on("upgrade", upgradeThrough(gateway));
    if (most !== undefined) server.maxHeadersCount = most;
    const send = (total: number): Wire => {
      const client = scene.client();
      const more = Array.from({ length: total - 1 - fields.length }, () => "a:");
      client.write(request(method, "/x", ...fields, ...more));
      return client;
    };
    await send(count - 1).until(passed);
    const refused = send(count);
    await refused.until('"code":"header-too-large"');
    expect(refused.received()).toMatch(/^HTTP\/1\.1 431 /);
    await scene.leave();
  });

  test.each<Pick<Row, "what" | "fields" | "route" | "passed">>([
    {
      what: "of a request",
      route: { UpstreamHeaderTransform: { "X-Scope": { Set: "read" } } },
    },
    { ...opened, what: "of a WebSocket", fields: opening },
  ])(
    "$what: as many as services read with those of the gateway are refused",
    async ({ route = {}, passed = "HTTP/1.1 200 OK", fields = [] }) => {
      const scene = await setScene(create(), { route, serveOne: answering });
      const { server, gateway } = scene.running;
      server.on("upgrade", upgradeThrough(gateway));
      const send = (total: number): Wire => {
        const client = scene.client();
        const more = Array.from({ length: total - 1 - fields.length }, (_, index) => `a${index}:`);
        client.write(request("GET", "/x", ...fields, ...more));
        return client;
      };
      await send(980).until(passed);
      const refused = send(997);
      await refused.until('"code":"header-too-large"');
      expect(refused.received()).toMatch(/^HTTP\/1\.1 431 /);
      await scene.leave();
    },
  );

  test("none are left out where the server has no bound", async () => {
    const scene = await setScene(create(), { serveOne: answering });
    scene.running.server.maxHeadersCount = 0;
    const { write, until } = scene.client();
    write(request("GET", "/x", ...Array.from({ length: 1_500 }, () => "a:")));
    await until("HTTP/1.1 200 OK");
    await scene.leave();
  });
});

describe.each(engines)("time limits, $name", ({ create }) => {
  test.each([
    ["of one route", { route: { Timeout: 0.1 } }],
    ["of all routes", { global: { Timeout: 0.1 } }],
    ["of one route over that of all", { route: { Timeout: 0.1 }, global: { Timeout: 100 } }],
  ])("the time for an answer %s", async (_name, options) => {
    const scene = await setScene(create(), options);
    const { write, until } = scene.client();
    write(request("GET", "/x"));
    await until('"code":"answer-timeout"');
    await scene.leave();
  });

  test.each(levels)("the time to connect $name", async ({ options }) => {
    const { route, ...others } = options({ connect: 0.1 });
    const scene = await setScene(create(), {
      ...others,
      route: { ...route, DownstreamScheme: "https" },
    });
    const { write, until } = scene.client();
    write(request("GET", "/x"));
    await until('"code":"connect-timeout"');
    await scene.leave();
  });

  test.each(levels)("the time that an upload may stall $name", async ({ options }) => {
    const scene = await setScene(create(), options({ upload: 0.1 }));
    const { write, until } = scene.client();
    write(request("POST", "/x", "Content-Length: 5"));
    await until('"code":"upload-stalled"');
    await scene.leave();
  });
});
