import { PassThrough } from "node:stream";
import { describe, expect, test } from "@jest/globals";
import {
  createAnswer,
  type DelegatingHandler,
  type GatewayOptions,
  metadataResponder,
  type Responder,
} from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { startGateway } from "../helpers/start-gateway.ts";

const piping: Responder = async (answer, _context, respond) => {
  answer.body = answer.body.pipe(new PassThrough());
  await respond();
};
const noTransforms = {};
const transforms = { DownstreamHeaderTransform: { "X-A": "a" } };
const json = { Metadata: {}, Response: [1] };

const rows = [
  { title: "pipes it", responder: piping, route: noTransforms, gets: [1] },
  { title: "pipes it behind header transforms", responder: piping, route: transforms, gets: [1] },
  { title: "wraps it", responder: metadataResponder(), route: noTransforms, gets: json },
  { title: "wraps it behind header transforms", responder: metadataResponder(), route: transforms, gets: json },
];

test.each(rows)("an answer for several clients is each one's own where a responder $title", async (row) => {
  const shared = createAnswer({ status: 200, headers: { "Content-Type": "application/json" }, body: "[1]" });
  const handlers = [() => Promise.resolve(shared)];
  const target = { Host: "127.0.0.1", Port: 1 };
  const route = { UpstreamPathTemplate: "/x", DownstreamPathTemplate: "/x", DownstreamHostAndPorts: [target] };
  const { port, close } = await startGateway(
    { Routes: [{ ...route, ...row.route }] },
    { handlers, responder: row.responder },
  );
  const bodies: unknown[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const { body } = await request({ port, path: "/x" });
    bodies.push(body.length === 0 ? "" : JSON.parse(String(body)));
  }
  await close();
  expect(bodies).toEqual([row.gets, row.gets, row.gets]);
  expect(shared.headers).toEqual({ "content-type": "application/json" });
});

const forCookie: Responder = async (answer, { req }, respond) => {
  (answer.headers["set-cookie"] as string[]).push(`seen=${req.headers.cookie}`);
  await respond();
};
const headers = { "Set-Cookie": ["theme=dark"] };
const constant = createAnswer({ status: 503, headers, body: "Welcome." });
const greet: DelegatingHandler = async (_outgoing, next, { req }) => {
  const answer = await next();
  if (req.headers.cookie === undefined) return answer;
  answer.headers["x-session"] = req.headers.cookie;
  (answer.headers["set-cookie"] as string[]).push(`session=${req.headers.cookie}`);
  answer.body = `Welcome, ${req.headers.cookie}.`;
  return answer;
};

describe.each([
  ["a constant answer", () => Promise.resolve(constant)],
  [
    "a new answer with the same headers",
    () => Promise.resolve(createAnswer({ status: 503, headers, body: "Welcome." })),
  ],
])("%s of a handler", (_what, inner) => {
  test.each<[who: string, options: GatewayOptions]>([
    ["an outer handler", { handlers: [greet, inner] }],
    ["an outer handler, behind one that passes it on,", { handlers: [greet, (_outgoing, next) => next(), inner] }],
    ["an outer handler and a responder", { handlers: [greet, inner], responder: forCookie }],
    ["a responder", { handlers: [inner], responder: forCookie }],
  ])("goes to the next client without what %s has made of it for one", async (_who, options) => {
    const target = { Host: "127.0.0.1", Port: 1 };
    const route = { UpstreamPathTemplate: "/x", DownstreamPathTemplate: "/x", DownstreamHostAndPorts: [target] };
    const { port, close } = await startGateway({ Routes: [route] }, options);
    const known = await request({ port, path: "/x", headers: { cookie: "ada" } });
    const next = await request({ port, path: "/x" });
    await close();
    expect(JSON.stringify([known.headers, String(known.body)])).toContain("ada");
    expect(JSON.stringify([next.headers, String(next.body)])).not.toContain("ada");
    expect(String(next.body)).toBe("Welcome.");
  });
});
