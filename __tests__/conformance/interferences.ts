import { Readable } from "node:stream";
import compression from "compression";
import {
  createAnswer,
  type DelegatingHandler,
  type GatewayHandler,
  type GatewayOptions,
  metadataResponder,
} from "../../src/index.ts";
import type { Responder, UpstreamResponse } from "../../src/index.ts";
import { sentinelTarget } from "./strict-upstream.ts";

/** What is known of an answer at some place: its status, and the bytes of its body. */
export type Given = Readonly<{ status: number; body: string }>;

/** Somebody who says something about how an answer is delimited, and what the client must get all the same. */
export type Interference = Readonly<{
  name: string;
  options?: GatewayOptions;
  /** Of the route. */
  route?: object;
  /** Stands before the gateway. */
  before?: readonly GatewayHandler[];
  /** The method that goes upstream where it is not the client's. */
  sends?: string;
  /** What becomes of what the upstream gave; unchanged where this is absent. */
  makes?: (given: Given) => Given;
}>;

type Change = (answer: UpstreamResponse) => UpstreamResponse | void;

const same = (given: Given): Given => given;
const becomes =
  (status: number) =>
  ({ body }: Given): Given => ({ status, body: status === 502 ? "" : body });

/** By a delegating handler and by a responder. */
function changed(name: string, change: Change, makes: (given: Given) => Given = same): Interference[] {
  const handler: DelegatingHandler = async (_outgoing, next, { req }) => {
    const answer = await next();
    return req.url === sentinelTarget ? answer : (change(answer) ?? answer);
  };
  const responder: Responder = (answer, { req }, respond) => {
    if (req.url !== sentinelTarget) change(answer);
    return respond();
  };
  return [
    { name: `a handler ${name}`, options: { handlers: [handler] }, makes },
    { name: `a responder ${name}`, options: { responder }, makes },
  ];
}

/** By middleware of the gateway, and by middleware that stands before it. */
function set(name: string, middleware: GatewayHandler): Interference[] {
  const unlessSentinel: GatewayHandler = (req, res, next) => {
    if (req.url === sentinelTarget) next();
    else middleware(req, res, next);
  };
  return [
    { name: `middleware ${name}`, options: { middleware: [unlessSentinel] } },
    { name: `middleware before the gateway ${name}`, before: [unlessSentinel] },
  ];
}

const answersByItself = (name: string, init: Parameters<typeof createAnswer>[0], given: Given): Interference => ({
  name: `a handler answers by itself ${name}`,
  options: {
    handlers: [
      (_outgoing, next, { req }) => (req.url === sentinelTarget ? next() : Promise.resolve(createAnswer(init))),
    ],
  },
  makes: () => given,
});

const setTo =
  (headers: Readonly<Record<string, string>>): GatewayHandler =>
  (_req, res, next) => {
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
    next();
  };

/** Everybody who may interfere. */
export const interferences: readonly Interference[] = [
  { name: "nobody" },
  ...changed("sets a length that is too long", ({ headers }) => void (headers["content-length"] = "99")),
  ...changed("sets a length that is too short", ({ headers }) => void (headers["content-length"] = "1")),
  ...changed("sets a length in capitals", ({ headers }) => void (headers["Content-Length"] = "99")),
  ...changed("sets two lengths", ({ headers }) => void (headers["content-length"] = ["1", "2"])),
  ...changed("removes the length", ({ headers }) => {
    delete headers["content-length"];
  }),
  ...changed("sets a transfer coding", ({ headers }) => void (headers["transfer-encoding"] = "chunked")),
  ...changed("sets a coding in capitals", ({ headers }) => void (headers["Transfer-Encoding"] = "gzip, chunked")),
  ...changed("announces trailers", ({ headers }) => void (headers.trailer = "X-T")),
  ...changed("replaces the headers", (answer) => void (answer.headers = { "Content-Length": "99" })),
  ...changed("makes a 200 of it", (answer) => void (answer.status = 200), becomes(200)),
  ...changed("makes a 404 of it", (answer) => void (answer.status = 404), becomes(404)),
  ...changed("makes a 204 of it", (answer) => void (answer.status = 204), becomes(204)),
  ...changed("makes a 304 of it", (answer) => void (answer.status = 304), becomes(304)),
  ...changed("makes a 102 of it", (answer) => void (answer.status = 102), becomes(502)),
  ...changed("makes a 101 of it", (answer) => void (answer.status = 101), becomes(502)),
  ...changed(
    "makes a 304 of it whose header cannot be sent",
    (answer) => void Object.assign(answer, { status: 304, headers: { "x-a": "a\r\nb" } }),
    becomes(502),
  ),
  ...changed("makes a status of it that is none", (answer) => void (answer.status = Number.NaN), becomes(502)),
  ...changed(
    "gives a Buffer and another length",
    (answer) => {
      answer.body = Buffer.from("buffer");
      answer.headers["content-length"] = "3";
    },
    ({ status }) => ({ status, body: "buffer" }),
  ),
  ...changed(
    "gives a longer stream than its length",
    (answer) => {
      answer.body = Readable.from([Buffer.from("str"), Buffer.from("eam")]);
      answer.headers["content-length"] = "3";
    },
    ({ status }) => ({ status, body: "stream" }),
  ),
  ...changed(
    "gives a shorter stream than its length",
    (answer) => {
      answer.body = Readable.from([Buffer.from("stream")]);
      answer.headers["content-length"] = "99";
    },
    ({ status }) => ({ status, body: "stream" }),
  ),
  ...changed("looks at the body", ({ body }) => void body.on("data", () => undefined)),
  {
    name: "a handler gives an answer of its own making",
    options: {
      handlers: [
        async (_outgoing, next, { req }) => {
          const answer = await next();
          const { status, statusText, headers, body } = answer;
          return req.url === sentinelTarget ? answer : { status, statusText, headers, body };
        },
      ],
    },
  },
  answersByItself(
    "with a length",
    { status: 200, headers: { "Content-Length": "3" }, body: "by itself" },
    { status: 200, body: "by itself" },
  ),
  answersByItself(
    "with a length and no body",
    { status: 200, headers: { "content-length": "3" } },
    { status: 200, body: "" },
  ),
  answersByItself(
    "with a stream that is no answer to HEAD",
    {
      status: 200,
      // A stream that one answer has used up is no body for the next.
      get body() {
        return Readable.from([]);
      },
    },
    { status: 200, body: "" },
  ),
  answersByItself(
    "with chunks beside a length",
    { status: 200, headers: { "content-length": "2", "transfer-encoding": "chunked" }, body: "ab" },
    { status: 200, body: "ab" },
  ),
  ...set("sets a length", setTo({ "Content-Length": "3" })),
  ...set("sets a longer length", setTo({ "content-length": "99" })),
  ...set("sets chunks", setTo({ "Transfer-Encoding": "chunked" })),
  ...set("sets a coding", setTo({ "Transfer-Encoding": "gzip" })),
  ...set("sets a length and chunks", setTo({ "Content-Length": "3", "Transfer-Encoding": "chunked" })),
  ...set("announces trailers", setTo({ Trailer: "X-T" })),
  ...set("sets a status", (_req, res, next) => {
    res.statusCode = 304;
    res.statusMessage = "Mine";
    next();
  }),
  {
    name: "middleware asks by HEAD instead",
    options: {
      middleware: [
        (req, _res, next) => {
          if (req.url !== sentinelTarget) req.method = "HEAD";
          next();
        },
      ],
    },
    sends: "HEAD",
  },
  { name: "the route asks by GET", route: { DownstreamHttpMethod: "GET" }, sends: "GET" },
  {
    name: "a handler asks by HEAD",
    options: {
      handlers: [
        (outgoing, next, { req }) => {
          if (req.url !== sentinelTarget) outgoing.method = "HEAD";
          return next();
        },
      ],
    },
    sends: "HEAD",
  },
  { name: "compression", before: [compression({ threshold: 0 }) as GatewayHandler] },
  { name: "the metadata responder", options: { responder: metadataResponder() } },
];
