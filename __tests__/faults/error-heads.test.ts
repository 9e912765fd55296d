import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import compression from "compression";
import express from "express";
import {
  createGateway,
  type DelegatingHandler,
  type GatewayHandler,
  type GatewayOptions,
  parseConfig,
  problemDetails,
  type Responder,
  type UpstreamResponse,
} from "../../src/index.ts";
import { readMessages, valuesOf } from "../conformance/read-messages.ts";
import { takingTurns } from "../fuzz/bounds.ts";
import { engines } from "../helpers/engines.ts";
import { sendBytes } from "../helpers/send-raw.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

/** What an upstream says that must not stand on an error of the gateway's own. */
const theirs = {
  "Cache-Control": "public, max-age=99",
  "Set-Cookie": ["session=theirs; Path=/"],
  Date: "Wed, 21 Oct 2015 07:28:00 GMT",
  ETag: '"theirs"',
  "X-Theirs": "1",
  Vary: "X-Theirs",
};

/** What earlier middleware has set, and stays. */
const mine: GatewayHandler = (_req, res, next) => {
  res.setHeader("Cache-Control", "no-store");
  res.setHeader("X-Mine", ["1", "2"]);
  res.setHeader("Set-Cookie", "session=mine");
  next();
};

/** What earlier middleware has set that cannot be true of an error, where a request asks for it. */
const wrongFraming: GatewayHandler = (req, res, next) => {
  if (req.headers["x-framing"] !== "wrong") return next();
  res.setHeader("Content-Length", "9999");
  res.setHeader("Transfer-Encoding", "chunked");
  res.setHeader("Trailer", "X-T");
  next();
};

const changes: readonly (readonly [string, (answer: UpstreamResponse) => void])[] = [
  ["a header with a line break", ({ headers }) => void (headers["x-z"] = "a\r\nb")],
  ["a header's name that is none", ({ headers }) => void (headers["x z"] = "a")],
  ["a header whose value is none", ({ headers }) => void Object.assign(headers, { "x-z": Symbol("z") })],
  ["a reason with a line break", (answer) => void (answer.statusText = "a\r\nX-B: c")],
  ["a status below all", (answer) => void (answer.status = 42)],
  ["a status above all", (answer) => void (answer.status = 1_000)],
  ["a status of an interim answer", (answer) => void (answer.status = 103)],
  [
    "no body and a header with a line break",
    (answer) => void Object.assign(answer, { status: 204, headers: { ...answer.headers, "x-z": "a\r\nb" } }),
  ],
];

const handler =
  (change: (answer: UpstreamResponse) => void): DelegatingHandler =>
  async (_outgoing, next) => {
    const answer = await next();
    change(answer);
    return answer;
  };

/** Has done half of its work on the response when it fails. */
const failsHalfWay: Responder = (upstream, { res }) => {
  for (const [name, value] of Object.entries(upstream.headers)) res.setHeader(name, value);
  res.statusCode = 201;
  res.statusMessage = "Theirs";
  throw Object.assign(new Error("half"), { status: 502 });
};

const rows: readonly (readonly [string, GatewayOptions])[] = [
  ...changes.map(([name, change]) => [`a handler gives ${name}`, { handlers: [handler(change)] }] as const),
  ...changes.map(
    ([name, change]) =>
      [
        `a responder gives ${name}`,
        {
          responder: ((upstream, _context, respond) => {
            change(upstream);
            return respond();
          }) satisfies Responder,
        },
      ] as const,
  ),
  ["a responder fails half-way", { responder: failsHalfWay }],
  ["a responder rejects half-way", { responder: async (...values) => failsHalfWay(...values) }],
];

let upstream: Upstream;

beforeAll(async () => {
  upstream = await startUpstream((_req, res) => {
    res.writeHead(200, "Theirs", { ...theirs, "Content-Type": "text/their" });
    res.end("theirs");
  });
});

afterAll(() => upstream.close());

const surroundings = ["problemDetails", "Express alone", "a plain server"] as const;

/** In the short form each row is played in each surrounding at one engine. */
const played = surroundings.map((surrounding, place) => {
  return {
    surrounding,
    rowsAt: (turn: number) => takingTurns(rows, engines.length, turn + place),
  };
});

describe.each(engines)("$name: a 502 carries nothing of the answer that it stands for", ({ create, turn }) => {
  describe.each(played)("$surrounding", ({ surrounding, rowsAt }) => {
    test.each(rowsAt(turn))("%s", async (_name, options) => {
      const begun = [[mine, wrongFraming], []].map(async (middleware) => ({
        isMine: middleware.length > 0,
        running: await start(surrounding, { ...options, middleware, engine: create() }),
      }));
      for (const { isMine, running } of await Promise.all(begun)) {
        for (const method of ["GET", "HEAD"]) {
          for (const framing of isMine ? ["right", "wrong"] : ["right"]) {
            const [error, next] = await ask(running, method, `X-Framing: ${framing}`);
            expect(error!.line).toBe("HTTP/1.1 502 Bad Gateway");
            expectNothingOfTheirs(error!.headers);
            expect(valuesOf(error!.headers, "transfer-encoding")).toEqual([]);
            expect(valuesOf(error!.headers, "date")).toHaveLength(1);
            if (isMine) expectMine(error!.headers);
            expect(next).toMatchObject({ line: "HTTP/1.1 404 Not Found" });
          }
        }
        await running.close();
      }
    });
  });

  test("compression in front does not take it for that answer", async () => {
    const before = [compression({ threshold: 0 })] as unknown as GatewayHandler[];
    for (const [, change] of changes) {
      const running = await start("problemDetails", { handlers: [handler(change)], engine: create() }, before);
      const [error] = await ask(running, "GET");
      await running.close();
      expectNothingOfTheirs(error!.headers);
      const bytes = Buffer.from(error!.body, "latin1");
      const isZipped = valuesOf(error!.headers, "content-encoding").includes("gzip");
      expect(JSON.parse(String(isZipped ? gunzipSync(bytes) : bytes))).toMatchObject({ code: "upstream-ill-formed" });
    }
  });
});

function expectNothingOfTheirs(headers: readonly [string, string][]): void {
  const text = JSON.stringify(headers).toLowerCase();
  for (const word of ["theirs", "public", "2015", "x-z", "x-b"]) expect(text).not.toContain(word);
  expect(valuesOf(headers, "content-type").join()).not.toContain("their");
}

function expectMine(headers: readonly [string, string][]): void {
  expect(valuesOf(headers, "cache-control")).toEqual(["no-store"]);
  expect(valuesOf(headers, "x-mine")).toEqual(["1", "2"]);
  expect(valuesOf(headers, "set-cookie")).toEqual(["session=mine"]);
}

async function start(
  surrounding: (typeof surroundings)[number],
  options: GatewayOptions,
  before: readonly GatewayHandler[] = [],
): Promise<RunningGateway> {
  const config = {
    Routes: [
      {
        UpstreamPathTemplate: "/x",
        DownstreamPathTemplate: "/x",
        DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
      },
    ],
  };
  const gateway = createGateway(parseConfig(config, { logger: false }), { logger: false, ...options });
  return serve(surrounding === "a plain server" ? gateway : inExpress(), gateway);

  function inExpress(): express.Express {
    const app = express();
    app.disable("x-powered-by").set("env", "test");
    for (const middleware of before) app.use(middleware as express.RequestHandler);
    app.use(gateway);
    if (surrounding === "problemDetails") app.use(problemDetails({ logger: false }));
    return app;
  }
}

/** Asks once for the answer, and right behind it for something that the gateway does not have. */
async function ask({ port }: RunningGateway, method: string, ...lines: string[]) {
  const next = ["GET /nowhere HTTP/1.1", "Host: gw", "Connection: close", "", ""];
  const sent = [`${method} /x HTTP/1.1`, "Host: gw", "Accept-Encoding: gzip", ...lines, "", ...next];
  const bytes = await sendBytes(port, sent.join("\r\n"));
  const { messages, rest, isBroken } = readMessages(bytes, (_message, index) =>
    index === 0 && method === "HEAD" ? "none" : "framed",
  );
  expect({ bytes, rest, isBroken, count: messages.length }).toMatchObject({ rest: "", isBroken: false, count: 2 });
  return messages;
}
