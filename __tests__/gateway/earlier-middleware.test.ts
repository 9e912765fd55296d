import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import express, { type RequestHandler } from "express";
import type { Gateway, GatewayOptions } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { request, sendBytes } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { gatewayTo } from "./gateway-to.ts";

let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream((_req, res) => res.end());
});
afterAll(() => upstream.close());

type SetHeaders = Readonly<Record<string, string | string[]>>;

function setting(headers: SetHeaders): RequestHandler {
  return (req, _res, next) => {
    Object.assign(req.headers, headers);
    next();
  };
}

describe.each(engines)("headers that middleware before the gateway has set: $name", ({ create }) => {
  function makeGateway(options: GatewayOptions = {}): Gateway {
    return gatewayTo(upstream.port, { engine: create(), ...options });
  }

  async function arriving(app: express.Express, gateways: readonly Gateway[], sent: readonly string[]) {
    const running = await serve(app, gateways[0]!);
    const closing = sent.some((line) => line.endsWith(", close")) ? [] : ["Connection: close"];
    const head = ["GET /x HTTP/1.1", "Host: gw.example", ...sent, ...closing, "", ""].join("\r\n");
    const answer = await sendBytes(running.port, head);
    await Promise.all(gateways.map((gateway) => gateway.close({ grace: 0 })));
    await running.close();
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    return upstream.requests.at(-1)!.headers;
  }

  const set = { "x-user": "alice" };
  const rows: readonly Readonly<{
    title: string;
    set: SetHeaders;
    sent: readonly string[];
    options?: GatewayOptions;
    arrives: Readonly<Record<string, string | undefined>>;
  }>[] = [
    { title: "Connection names only what the client sent", set, sent: ["Connection: X-User"], arrives: set },
    {
      title: "nor what it sent and middleware replaced",
      set,
      sent: ["Connection: X-User", "X-User: root"],
      arrives: set,
    },
    {
      title: "nor does an equal header that came twice stand for it",
      set,
      sent: ["Connection: X-User, close", "User-Agent: u", "User-Agent: u"],
      arrives: set,
    },
    {
      title: "nor do several for what only proxies may say",
      set: { "x-user": "alice", "x-forwarded-user": "alice" },
      sent: ["Connection: X-User, close", "User-Agent: u", "User-Agent: u", "User-Agent: u"],
      arrives: { "x-user": "alice", "x-forwarded-user": "alice" },
    },
    {
      title: "nor does another spelling take the place of it",
      set,
      sent: ["Connection: X-User", "X_User: root", "X.User: root"],
      arrives: { ...set, x_user: undefined, "x.user": undefined },
    },
    {
      title: "one that Connection names goes in all its spellings, where all are the client's",
      set: {},
      sent: ["Connection: X-User", "X-User: a", "X_User: root"],
      arrives: { "x-user": undefined, x_user: undefined },
    },
    {
      title: "an unusual spelling goes before the client's usual one",
      set: { x_remote_user: "alice" },
      sent: ["X-Remote-User: root"],
      arrives: { x_remote_user: "alice", "x-remote-user": undefined },
    },
    {
      title: "also before one of the client's that is as unusual",
      set: { x_remote_user: "alice" },
      sent: ["X.Remote.User: root", "X_Remote_User: root"],
      arrives: { x_remote_user: "alice", "x.remote.user": undefined },
    },
    {
      title: "what a proxy for logins says of the user arrives",
      set: { "x-forwarded-user": "alice", "x-real-ip": "10.0.0.1", x_original_user: "alice" },
      sent: ["X-Forwarded-User: root", "X_Forwarded_User: root", "X-Original-User: root"],
      arrives: {
        "x-forwarded-user": "alice",
        x_forwarded_user: undefined,
        "x-real-ip": "10.0.0.1",
        x_original_user: "alice",
        "x-original-user": undefined,
      },
    },
    {
      title: "a Proxy header is the one that was set here",
      set: { proxy: "of-ours" },
      sent: ["Proxy: http://evil.example:3128"],
      arrives: { proxy: "of-ours" },
    },
    {
      title: "the four that the gateway sets are its own",
      set: { "x-forwarded-for": "10.0.0.1", x_forwarded_host: "b", "x-forwarded-proto": "https" },
      sent: [],
      arrives: { "x-forwarded-for": "127.0.0.1", x_forwarded_host: undefined, "x-forwarded-proto": "http" },
    },
    {
      title: "framing and what speaks of one connection is nobody's",
      set: { content_length: "5", "proxy-authorization": "Basic YTpi", proxy_authorization: "Basic YTpi" },
      sent: [],
      arrives: { content_length: undefined, "proxy-authorization": undefined, proxy_authorization: undefined },
    },
    {
      title: "repeats of the client's are the client's, however Node has joined them",
      set: {},
      sent: [
        "Connection: X-A, Age, Set-Cookie",
        "X-A: 1",
        "X-A: 2",
        "Age: 1",
        "Age: 2",
        "Set-Cookie: a",
        "Set-Cookie: b",
      ],
      arrives: { "x-a": undefined, age: undefined, "set-cookie": undefined },
    },
    {
      title: "so are the first of them, where Node has left out the others",
      set: { "x-a": "1, 2", age: "1", "set-cookie": ["a", "b"] },
      sent: [
        "Connection: X-A, Set-Cookie",
        ...["X-A: 1", "X-A: 2", "X-A: 3"],
        ...["Set-Cookie: a", "Set-Cookie: b", "Set-Cookie: c"],
      ],
      arrives: { "x-a": undefined, "set-cookie": undefined },
    },
    {
      title: "what only begins as the client's repeats do was set here",
      set: { "x-a": "1, 23", "x-b": "1, 2, 3, 4", "x-c": "1;2" },
      sent: [
        "Connection: X-A, X-B, X-C",
        ...["A", "B", "C"].flatMap((name) => [1, 2, 3].map((n) => `X-${name}: ${n}`)),
      ],
      arrives: { "x-a": "1, 23", "x-b": "1, 2, 3, 4", "x-c": "1;2" },
    },
    {
      title: "a trusted proxy's other spellings go, middleware's stay",
      set: { x_forwarded_user: "alice" },
      sent: ["X-Forwarded-User: root", "X_Real_IP: 6.6.6.6"],
      options: { trustProxy: true },
      arrives: { x_forwarded_user: "alice", "x-forwarded-user": undefined, x_real_ip: undefined },
    },
  ];

  test.each(rows)("$title", async ({ set: headers, sent, options, arrives }) => {
    const gateway = makeGateway(options);
    const arrived = await arriving(express().use(setting(headers), gateway), [gateway], sent);
    expect(Object.fromEntries(Object.keys(arrives).map((name) => [name, arrived[name]]))).toEqual(arrives);
  });

  test.each([
    { title: "Connection", headers: { "x-user": "alice" }, sent: ["Connection: X-User", "X_User: root"] },
    { title: "another spelling", headers: { x_user: "alice" }, sent: ["X-User: root"] },
  ])("$title takes nothing from what an earlier gateway's middleware has set", async ({ headers, sent }) => {
    const first = makeGateway({
      middleware: [
        (req, _res, next) => {
          Object.assign(req.headers, headers);
          next("router");
        },
      ],
    });
    const second = makeGateway();
    const arrived = await arriving(express().use(first, second), [first, second], sent);
    expect(arrived).toMatchObject(headers);
    expect(Object.values(arrived)).not.toContain("root");
  });

  test("a list that middleware has set stays a list", async () => {
    const gateway = makeGateway();
    const app = express().use((req, _res, next) => {
      req.headers["x-roles"] = ["a", "b"];
      next();
    }, gateway);
    const arrived = await arriving(app, [gateway], ["Connection: X-Roles", "X-Roles: root"]);
    expect(arrived["x-roles"]).toBe("a, b");
  });

  test("it is looked for once, however many headers a client sends", async () => {
    const gateway = makeGateway();
    let looked = 0;
    const app = express().use((req, _res, next) => {
      const { rawHeaders } = req;
      Object.defineProperty(req, "rawHeaders", {
        get() {
          looked += 1;
          return rawHeaders;
        },
      });
      next();
    }, gateway);
    const running = await serve(app, gateway);
    const headers = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x-forwarded-${index}`, "1"]));
    const { status } = await request({ port: running.port, path: "/x", headers });
    await running.close();
    expect(status).toBe(200);
    expect(looked).toBeLessThan(10);
  });
});
