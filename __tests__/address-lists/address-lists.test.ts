import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { explainRequest } from "../../src/explain/explain-request.ts";
import { createGateway, type GatewayOptions } from "../../src/index.ts";
import { request, sendBytes } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { ends, upstream, type Section, configOf, start, statusOf } from "./start-listed.ts";

describe("the address that lists see, with a peer at 127.0.0.1", () => {
  const trusted = { trustProxy: "loopback" };
  const rows: [
    reason: string,
    list: Section,
    options: GatewayOptions,
    forwarded: string | undefined,
    status: number,
  ][] = [
    ["a forged header of an untrusted peer opens nothing", { IPAllowedList: ["10.0.0.1"] }, {}, "10.0.0.1", 403],
    ["nor does it hide the peer", { IPBlockedList: ["127.0.0.1"] }, {}, "10.0.0.1", 403],
    ["a trusted peer says who the client is", { IPAllowedList: ["10.0.0.1"] }, trusted, "10.0.0.1", 200],
    [
      "what the client itself wrote before that does not count",
      { IPBlockedList: ["10.0.0.2"] },
      trusted,
      "10.0.0.1, 10.0.0.2",
      403,
    ],
    ["and opens nothing", { IPAllowedList: ["10.0.0.1"] }, trusted, "10.0.0.1, 10.0.0.2", 403],
    [
      "behind several trusted proxies the last untrusted one counts",
      { IPAllowedList: ["10.0.0.1"] },
      trusted,
      "9.9.9.9, 10.0.0.1, 127.0.0.7",
      200,
    ],
    [
      "as many hops as are trusted",
      { IPAllowedList: ["10.0.0.1"] },
      { trustProxy: 2 },
      "9.9.9.9, 10.0.0.1, 8.8.8.8",
      200,
    ],
    ["a trusted peer that says nothing is the client", { IPAllowedList: ["127.0.0.1"] }, trusted, undefined, 200],
    ["IPv4 as IPv6 is IPv4", { IPAllowedList: ["10.0.0.0/8"] }, trusted, "::ffff:10.0.0.1", 200],
    ["in every spelling", { IPBlockedList: ["10.0.0.1"] }, trusted, "0:0:0:0:0:FFFF:0a00:0001", 403],
    ["also in the list", { IPBlockedList: ["::ffff:10.0.0.0/120"] }, trusted, "10.0.0.1", 403],
    ["a zone is cut off", { IPBlockedList: ["fe80::/10"] }, trusted, "fe80::1%eth0", 403],
    [
      "an address with a port is none: lists refuse it, those of blocked ones too",
      { IPBlockedList: ["10.0.0.2"] },
      trusted,
      "10.0.0.1:443",
      403,
    ],
    ["nor in brackets", { IPBlockedList: ["10.0.0.2"] }, trusted, "[::1]:443", 403],
    ["nor an unknown one", { IPBlockedList: ["10.0.0.2"] }, trusted, "unknown", 403],
    ["nor an octal one", { IPBlockedList: ["10.0.0.2"] }, trusted, "010.0.0.1", 403],
    ["nor is nothing one, behind a comma", { IPAllowedList: ["10.0.0.1"] }, trusted, "10.0.0.1,", 403],
    ["nor between two", { IPAllowedList: ["10.0.0.1"] }, trusted, "10.0.0.1, ,127.0.0.7", 403],
    ["nor alone", { IPAllowedList: ["127.0.0.1"] }, trusted, " ", 403],
    ["nor by counting hops", { IPBlockedList: ["10.0.0.2"] }, { trustProxy: 1 }, "10.0.0.1,", 403],
    ["a network of IPv6 holds no address of IPv4", { IPAllowedList: ["::/0"] }, trusted, "10.0.0.1", 403],
    ["nor the other way round", { IPAllowedList: ["0.0.0.0/0"] }, trusted, "2001:db8::1", 403],
    ["a function that fails trusts nobody", { IPAllowedList: ["10.0.0.1"] }, { trustProxy: failing }, "10.0.0.1", 403],
    [
      "a very long header is read to the first untrusted address",
      { IPAllowedList: ["10.0.0.1"] },
      trusted,
      `${"9.9.9.9,".repeat(900)}10.0.0.1`,
      200,
    ],
    [
      "of a hundred trusted peers the last one is not believed, so that thousands cost no more",
      { IPAllowedList: ["127.0.0.7"] },
      trusted,
      `10.0.0.1,${"127.0.0.7,".repeat(900)}127.0.0.7`,
      200,
    ],
  ];

  function failing(): never {
    throw new Error("broken");
  }

  test.each(rows)("%s", async (_reason, route, options, forwarded, status) => {
    const { port } = await start({ route, options });
    expect(await statusOf(port, forwarded === undefined ? {} : { "x-forwarded-for": forwarded })).toBe(status);
    expect(upstream.requests).toHaveLength(status === 200 ? 1 : 0);
  });

  test("an app that believes everybody lets nobody in, and the log says why, once", async () => {
    const told: string[] = [];
    const note = (_fields: unknown, text?: string): void => void told.push(String(text));
    const logger = { error: note, warn: () => undefined, info: () => undefined, debug: () => undefined };
    const { port } = await start({ route: { IPBlockedList: ["10.0.0.2"] }, options: { logger }, appTrusts: true });
    expect([await statusOf(port, { "x-forwarded-for": "10.0.0.1" }), await statusOf(port)]).toEqual([403, 403]);
    expect(told).toEqual([expect.stringContaining('"trust proxy" is true')]);
  });

  test("an app that trusts its proxy decides as the option does", async () => {
    const { port } = await start({ route: { IPAllowedList: ["10.0.0.1"] }, appTrusts: "loopback" });
    expect(await statusOf(port, { "x-forwarded-for": "10.0.0.1" })).toBe(200);
  });
});

test("a client without an address, at a socket of the machine, is refused by every list", async () => {
  const gateway = createGateway(configOf({ route: { IPBlockedList: ["10.0.0.1"] } }), { logger: false });
  const server = http.createServer(gateway);
  const path = join(tmpdir(), `waymark-lists-${process.pid}-${Date.now()}.sock`);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  ends.push(
    () => new Promise((resolve) => server.close(resolve)),
    () => gateway.close({ grace: 0 }),
  );
  const status = await new Promise((resolve, reject) => {
    http
      .get({ socketPath: path, path: "/x", agent: false }, (res) => resolve(res.resume().statusCode))
      .on("error", reject);
  });
  expect(status).toBe(403);
});

test("a refusal says what it is, closes no connection, and comes before the body", async () => {
  const { port } = await start({ route: { IPBlockedList: ["127.0.0.1"] } });
  const answer = await request({ port, method: "POST", path: "/x", body: "abc" });
  expect(answer.headers["content-type"]).toMatch("application/problem+json");
  expect(JSON.parse(String(answer.body))).toMatchObject({ status: 403, code: "address-refused" });
  const raw = await sendBytes(port, "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nConnection: close\r\n\r\n");
  expect(raw).toMatch(/^HTTP\/1.1 403 /);
});

describe("which lists count", () => {
  const rows: [reason: string, route: Section | undefined, global: Section | undefined, status: number][] = [
    ["the global ones where the route has none", undefined, { IPBlockedList: ["127.0.0.1"] }, 403],
    [
      "the global ones where the route has only the flag",
      { ExcludeAllowedFromBlocked: true },
      { IPAllowedList: ["127.0.0.1"], IPBlockedList: ["127.0.0.0/8"] },
      200,
    ],
    [
      "the route's flag beats the global one",
      { ExcludeAllowedFromBlocked: false },
      { IPAllowedList: ["127.0.0.1"], IPBlockedList: ["127.0.0.0/8"], ExcludeAllowedFromBlocked: true },
      403,
    ],
    [
      "the route's lists replace the global ones, and the global flag with them",
      { IPAllowedList: ["127.0.0.1"], IPBlockedList: ["127.0.0.1"] },
      { IPBlockedList: ["10.0.0.1"], ExcludeAllowedFromBlocked: true },
      403,
    ],
    [
      "the flag alone lets nobody out of a list without allowed ones",
      { IPBlockedList: ["127.0.0.1"], ExcludeAllowedFromBlocked: true },
      undefined,
      403,
    ],
  ];

  test.each(rows)("%s", async (_reason, route, global, status) => {
    const { port } = await start({ ...(route && { route }), ...(global && { global }) });
    expect(await statusOf(port)).toBe(status);
  });

  test("a reload changes them", async () => {
    const gateway = createGateway(configOf({ global: { IPBlockedList: ["10.0.0.1"] } }), { logger: false });
    const running = await serve(gateway, gateway);
    ends.push(running.close);
    expect(await statusOf(running.port)).toBe(200);
    const changes = await gateway.reload(configOf({ global: { IPBlockedList: ["127.0.0.1"] } }));
    expect(changes.changed).toHaveLength(1);
    expect(await statusOf(running.port)).toBe(403);
  });
});

describe("entries", () => {
  const accepted = [
    "10.0.0.1",
    " 10.0.0.1 ",
    "10.0.0.0/8",
    "10.0.0.0 / 255.128.0.0",
    "10.0.0.1-10.0.1.9",
    "10.0.0.1 – 9",
    "10.0.0.7-7",
    "0.0.0.0/0",
    "::/0",
    "2001:db8::1-2001:db8::f",
    "::ffff:10.0.0.1-10.0.0.9",
  ];
  test.each(accepted)("%s is taken", (entry) => {
    expect(configOf({ route: { IPAllowedList: [entry] } }).warnings).toEqual([]);
  });

  const refused = [
    "localhost",
    "*",
    "10.0.0",
    "127.5",
    "010.0.0.1",
    "2130706437",
    "0x7f.0.0.1",
    "10.0.0.1:443",
    "[::1]",
    "::1%lo",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/08",
    "10.0.0.0/255.0.255.0",
    "::1/129",
    "::1/255.0.0.0",
    "::ffff:10.0.0.1/90",
    "10.0.0.9-10.0.0.1",
    "10.0.0.9-1",
    "10.0.0.1-256",
    "10.0.0.1-::1",
    "10.0.0.1-",
    "-",
    "10.0.0.1-10.0.0.2-10.0.0.3",
    "10.0.0.1,10.0.0.2",
    "10.0.0.0/8/8",
  ];
  test.each(refused)("%s stops the start", (entry) => {
    const message = expect.stringContaining("expected an address, a network (10.0.0.0/8) or a range");
    const problem = { code: "address-invalid", path: "GlobalConfiguration.SecurityOptions.IPBlockedList[1]", message };
    expect(() => configOf({ global: { IPBlockedList: ["10.0.0.1", entry] } })).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining(problem)] }),
    );
  });

  test("a kind of list that the route's lists take away is warned of", () => {
    const { warnings } = configOf({ route: { IPAllowedList: ["10.0.0.1"] }, global: { IPBlockedList: ["10.0.0.2"] } });
    expect(warnings).toMatchObject([{ code: "address-lists-replaced", path: "Routes[0].SecurityOptions" }]);
  });

  test("trustProxy: true beside lists stops the start, and a reload that brings lists", async () => {
    const listed = configOf({ route: { IPAllowedList: ["10.0.0.1"] } });
    const error = expect.objectContaining({ code: "option-invalid", message: expect.stringContaining("trustProxy") });
    expect(() => createGateway(listed, { logger: false, trustProxy: true })).toThrow(error);
    const gateway = createGateway(configOf({}), { logger: false, trustProxy: true });
    ends.push(() => gateway.close({ grace: 0 }));
    await expect(gateway.reload(listed)).rejects.toEqual(error);
  });
});

test.each([
  [{ IPAllowedList: ["10.0.0.1"], IPBlockedList: ["10.0.0.2"] }, "anybody, only from 10.0.0.1, not from 10.0.0.2"],
  [{ IPBlockedList: ["::1", "::2", "::3", "::4", "::5"] }, "anybody, not from ::1 or ::2 or ::3 or 2 more"],
  [{ IPAllowedList: ["::1"], IPBlockedList: ["::/0"], ExcludeAllowedFromBlocked: true }, "anybody, only from ::1"],
])("explain says who may come in: %j", (global, summary) => {
  const { access } = explainRequest(configOf({ global }), { method: "GET", path: "/x" });
  expect(access).toMatchObject({ open: false, summary });
});
