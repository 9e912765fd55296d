import http, { type OutgoingHttpHeaders, type RequestListener } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import compression from "compression";
import connect from "connect";
import express from "express";
import express4 from "express4";
import { createGateway, inspector, parseConfig } from "../../src/index.ts";
import { request, sendBytes } from "../helpers/send-raw.ts";
import { closeServer, listen } from "../helpers/start-upstream.ts";
import { configFor, readCookie, readToken, type Scene, showSecret, startScene } from "./scene.ts";

const paths = ["/", "/main.js", "/style.css", "/routes", "/traffic"];

/** The cookie as a browser that knows the inspector by this host sends it. */
function cookieFor({ cookie }: Scene, host: string): string {
  const port = /:(\d{1,5})$/.exec(host)?.[1] ?? "port";
  return `${cookie}; ${cookie.replace(/-\d+=/, `-${port}=`)}`;
}

describe("the inspector answers nobody but somebody at this machine", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
  });
  afterAll(() => scene.close());

  const intruders: [reason: string, headers: OutgoingHttpHeaders][] = [
    ["a name that leads here, as in DNS rebinding", { Host: "evil.example" }],
    ["a name with localhost in front", { Host: "localhost.evil.example" }],
    ["a name with localhost behind", { Host: "evil-localhost" }],
    ["a user in front of the name", { Host: "localhost@evil.example" }],
    ["another spelling of the address", { Host: "127.1" }],
    ["no port behind the colon but a name", { Host: "localhost:evil.example" }],
    ["Forwarded", { Forwarded: "for=203.0.113.1" }],
    ["X-Forwarded-For", { "X-Forwarded-For": "127.0.0.1" }],
    ["X-Forwarded-Host alone", { "X-Forwarded-Host": "localhost" }],
    ["X-Forwarded", { "X-Forwarded": "for=127.0.0.1" }],
    ["Via", { Via: "1.1 proxy" }],
    ["X-Real-IP", { "X-Real-IP": "127.0.0.1" }],
    ["X-Client-IP", { "X-Client-IP": "127.0.0.1" }],
    ["True-Client-IP", { "True-Client-IP": "127.0.0.1" }],
    ["CF-Connecting-IP", { "CF-Connecting-IP": "127.0.0.1" }],
    ["X-Forward-For", { "X-Forward-For": "127.0.0.1" }],
    ["X-HTTP-Forwarded-For", { "X-HTTP-Forwarded-For": "127.0.0.1" }],
    ["X-Host", { "X-Host": "localhost" }],
    ["X-Remote-Addr", { "X-Remote-Addr": "127.0.0.1" }],
    ["Fly-Client-IP", { "Fly-Client-IP": "127.0.0.1" }],
    ["X-Vercel-Id", { "X-Vercel-Id": "fra1::x" }],
    ["CDN-Loop", { "CDN-Loop": "cloudflare" }],
    ["X-Original-URL", { "X-Original-URL": "/" }],
  ];

  test.each(intruders)("%s", async (_reason, change) => {
    const headers = { Cookie: cookieFor(scene, String(change.Host ?? "")), ...change };
    for (const path of paths) {
      const answer = await request({ port: scene.port, path: `/_gateway${path}`, headers });
      expect([path, answer.status, answer.headers["content-type"]]).toEqual([path, 403, "text/plain; charset=utf-8"]);
      expect(answer.body.toString()).not.toContain("waymark-token");
    }
  });

  const raw: [reason: string, bytes: string, status: number][] = [
    ["two hosts", "GET /_gateway/ HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n", 403],
    ["a host in the request line", "GET http://a/_gateway/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n", 403],
    ["no host, as in HTTP/1.0", "GET /_gateway/ HTTP/1.0\r\n", 403],
    ["localhost, in any case", "GET /_gateway/ HTTP/1.1\r\nHost: LOCALHOST:80\r\nConnection: close\r\n", 200],
    ["[::1] with a port", "GET /_gateway/ HTTP/1.1\r\nHost: [::1]:8080\r\nConnection: close\r\n", 200],
  ];

  test.each(raw)("%s", async (_reason, bytes, status) => {
    const host = /Host: (.*)\r/.exec(bytes)?.[1] ?? "";
    const answer = await sendBytes(scene.port, `${bytes}Cookie: ${cookieFor(scene, host)}\r\n\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  test("another machine, whatever it says", async () => {
    const gateway = createGateway(parseConfig(configFor(1), { logger: false }), { logger: false });
    const look = inspector(gateway);
    const server = http.createServer((req, res) => {
      // As if it came from there: this machine has no other address in a test.
      Object.defineProperty(req.socket, "remoteAddress", { value: req.headers["x-peer"] });
      look(req, res);
    });
    const port = await listen(server);
    const peers = ["203.0.113.1", "::ffff:203.0.113.1", "fe80::1", "127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"];
    const statuses: number[] = [];
    const shown = await showSecret(port, look.link(`http://localhost:${port}/`), {
      "X-Peer": "127.0.0.1",
      Connection: "close",
    });
    const cookie = shown.headers["set-cookie"]![0]!.split(";", 1)[0]!;
    for (const peer of peers) {
      const headers = { "X-Peer": peer, Connection: "close", Cookie: cookie };
      statuses.push((await request({ port, path: "/", headers })).status);
    }
    expect(statuses).toEqual([403, 403, 403, 200, 200, 200, 200]);
    await gateway.close();
    await closeServer(server);
  });

  test("every answer says that nothing else may use or keep it, refusals included", async () => {
    for (const path of [...paths.slice(0, -1), "/nothing"]) {
      for (const headers of [{}, { Cookie: scene.cookie }, { Host: "evil.example" }]) {
        const answer = await request({ port: scene.port, path: `/_gateway${path}`, headers });
        expect(answer.headers).toMatchObject({
          "content-security-policy": expect.stringMatching(/^default-src 'none'; script-src 'self'; style-src 'self';/),
          "x-frame-options": "DENY",
          "x-content-type-options": "nosniff",
          "referrer-policy": "no-referrer",
          "cache-control": "no-store, no-transform",
          "cross-origin-resource-policy": "same-origin",
        });
        expect(answer.headers["content-security-policy"]).not.toMatch(/unsafe|\*|data:/);
        expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
      }
    }
  });

  test("the page has no script, style or handler in it", async () => {
    for (const headers of [{}, { Cookie: scene.cookie }]) {
      const { body } = await request({ port: scene.port, path: "/_gateway/", headers });
      const text = body.toString();
      expect(text.match(/<script[^>]*>[^<]/g)).toBeNull();
      expect(text.match(/<style|\sstyle=|\son\w+=|javascript:/g)).toBeNull();
    }
  });

  test("pages of other sites read nothing", async () => {
    for (const site of ["cross-site", "same-site"]) {
      for (const path of ["/routes", "/traffic", "/main.js"]) {
        const answer = await request({
          port: scene.port,
          path: `/_gateway${path}`,
          headers: { "Sec-Fetch-Site": site, Cookie: scene.cookie },
        });
        expect([path, answer.status]).toEqual([path, 403]);
      }
    }
  });

  test("scripts get no page, and so no token of it", async () => {
    const askAs = (destination: string) =>
      request({
        port: scene.port,
        path: "/_gateway/",
        headers: { "Sec-Fetch-Dest": destination, "Sec-Fetch-Site": "same-origin", Cookie: scene.cookie },
      });
    for (const destination of ["empty", "iframe", "object", "script", "worker", "serviceworker"]) {
      const { status, body } = await askAs(destination);
      expect([destination, status, body.toString()]).toEqual([
        destination,
        403,
        expect.stringContaining("not fetched"),
      ]);
    }
    expect((await askAs("document")).body.toString()).toContain("waymark-token");
  });

  test("without the slash behind its path it leads there", async () => {
    const answer = await request({ port: scene.port, path: "/_gateway?x" });
    expect([answer.status, answer.headers.location]).toEqual([308, "./_gateway/"]);
  });

  test("other methods and paths are refused", async () => {
    const rows: [string, string][] = [
      ["POST", "/"],
      ["DELETE", "/routes"],
      ["GET", "/explain"],
      ["HEAD", "/traffic"],
      ["GET", "/../package.json"],
      ["GET", "/__proto__"],
    ];
    const statuses = await Promise.all(
      rows.map(
        async ([method, path]) =>
          (await request({ port: scene.port, method, path: `/_gateway${path}`, headers: { Cookie: scene.cookie } }))
            .status,
      ),
    );
    expect(statuses).toEqual([405, 405, 405, 200, 404, 404]);
  });
});

describe("the inspector can be mounted", () => {
  const mountings: [name: string, prefix: string, mount: (look: RequestListener) => RequestListener][] = [
    ["in Express 5", "/_gateway", (look) => express().use("/_gateway", look)],
    [
      "in Express 5 behind a body parser",
      "/_gateway",
      (look) => express().use(express.json(), compression()).use("/_gateway", look),
    ],
    ["in Express 4", "/_gateway", (look) => express4().use("/_gateway", look) as RequestListener],
    ["in Connect", "/_gateway", (look) => connect().use("/_gateway", look)],
    ["in a router below a path", "/ops/see", (look) => express().use("/ops", express.Router().use("/see", look))],
    ["on a plain server", "", (look) => look],
  ];

  test.each(mountings)("%s", async (_name, prefix, mount) => {
    const gateway = createGateway(parseConfig(configFor(1), { logger: false }), { logger: false });
    const inspect = inspector(gateway);
    const server = http.createServer(mount(inspect));
    const port = await listen(server);
    const cookie = await readCookie(port, inspect.link(`http://localhost:${port}${prefix}`));
    const page = await request({ port, path: `${prefix}/`, headers: { Cookie: cookie } });
    const token = /name="waymark-token" content="([^"]+)"/.exec(page.body.toString())![1]!;
    const own = { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin", "X-Waymark-Token": token };
    const headers = { ...own, Cookie: cookie };
    const body = JSON.stringify({ method: "GET", path: "/down" });
    const told = await request({ port, method: "POST", path: `${prefix}/explain`, headers, body });
    expect(JSON.parse(told.body.toString())).toMatchObject({ route: "down" });
    if (prefix !== "") {
      const { status, headers: answered } = await request({ port, path: prefix });
      expect([status, answered.location]).toEqual([308, `.${prefix.slice(prefix.lastIndexOf("/"))}/`]);
    }
    await gateway.close();
    await closeServer(server);
  });
});

describe("who is told otherwise", () => {
  test("may be another machine, by another name; never through a proxy", async () => {
    const scene = await startScene({ allowRemote: true, hosts: ["Inspect.Example"] });
    const ask = async (headers: OutgoingHttpHeaders) =>
      (
        await request({
          port: scene.port,
          path: "/_gateway/",
          headers: { Cookie: cookieFor(scene, String(headers.Host)), ...headers },
        })
      ).status;
    expect([
      await ask({ Host: "inspect.example:9000" }),
      await ask({ Host: "localhost" }),
      await ask({ Host: "other.example" }),
      await ask({ Host: "inspect.example", Via: "1.1 proxy" }),
    ]).toEqual([200, 200, 403, 403]);
    await scene.close();
  });

  test("must hand over a gateway", () => {
    expect(() => inspector((() => undefined) as never)).toThrow(/inspector\(\) takes what createGateway\(\) returns/);
  });
});

describe("asking about a request", () => {
  let scene: Scene;
  let token: string;
  const body = JSON.stringify({ method: "GET", path: "/orders/7" });
  beforeAll(async () => {
    scene = await startScene();
    token = await readToken(scene);
  });
  afterAll(() => scene.close());

  const own = () => ({
    "Content-Type": "application/json",
    "Sec-Fetch-Site": "same-origin",
    Origin: `http://127.0.0.1:${scene.port}`,
    "X-Waymark-Token": token,
    Cookie: scene.cookie,
  });
  const ask = (headers: OutgoingHttpHeaders, text = body) =>
    request({ port: scene.port, method: "POST", path: "/_gateway/explain", headers, body: text });

  test("is answered to the page itself", async () => {
    const answer = await ask(own());
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body.toString())).toMatchObject({ outcome: "forwarded", route: "orders" });
  });

  const forgers: [reason: string, change: OutgoingHttpHeaders][] = [
    ["no cookie", { Cookie: undefined }],
    ["no token", { "X-Waymark-Token": undefined }],
    ["a wrong token of the same length", { "X-Waymark-Token": "x".repeat(43) }],
    ["an empty token", { "X-Waymark-Token": "" }],
    ["no Sec-Fetch-Site", { "Sec-Fetch-Site": undefined }],
    ["another site", { "Sec-Fetch-Site": "cross-site" }],
    ["the same site, another origin", { "Sec-Fetch-Site": "same-site" }],
    ["no page at all", { "Sec-Fetch-Site": "none" }],
    ["another origin", { Origin: "http://127.0.0.1:1" }],
    ["a page without origin", { Origin: "null" }],
    ["another host", { Host: "evil.example" }],
    ["through a proxy", { "X-Forwarded-For": "127.0.0.1" }],
  ];

  test.each(forgers)("is refused with %s", async (_reason, change) => {
    const headers = Object.fromEntries(
      Object.entries({ ...own(), ...change }).filter(([, value]) => value !== undefined),
    );
    expect((await ask(headers)).status).toBe(403);
  });

  test("a token is good for one start only", async () => {
    const other = await startScene();
    expect(await readToken(other)).not.toBe(token);
    await other.close();
  });

  const faults: [reason: string, text: string, expected: RegExp][] = [
    ["no JSON", "{", /no JSON/],
    ["no object", "7", /method/],
    ["no method", '{"path":"/"}', /method/],
    ["a method with a blank", '{"method":"GET /","path":"/"}', /method/],
    ["no path", '{"method":"GET"}', /path/],
    ["a path with a line end", '{"method":"GET","path":"/\\r\\nX: 1"}', /path/],
    ["headers that are no pairs", '{"method":"GET","path":"/","headers":["a"]}', /header/],
    ["a header with a line end", '{"method":"GET","path":"/","headers":[["a","b\\nc"]]}', /value/],
    ["a host that is no text", '{"method":"GET","path":"/","host":7}', /host/],
    ["an address that is none", '{"method":"GET","path":"/","address":"10.1.0"}', /address/],
    ["more than anybody would ask", `"${"x".repeat(70_000)}"`, /too long/],
  ];

  test.each(faults)("with %s says so", async (_reason, text, expected) => {
    const answer = await ask(own(), text);
    expect([answer.status, answer.body.toString()]).toEqual([400, expect.stringMatching(expected)]);
  });

  test("that is far too long leaves its connection to the next request", async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const asked = { port: scene.port, method: "POST", path: "/_gateway/explain", headers: own(), agent };
    expect((await request({ ...asked, body: "x".repeat(1_000_000) })).status).toBe(400);
    expect((await request({ ...asked, body })).status).toBe(200);
    agent.destroy();
  });

  test("in another media type, as forms can send it, is refused", async () => {
    expect((await ask({ ...own(), "Content-Type": "text/plain" })).status).toBe(400);
  });
});
