import type http from "node:http";
import net from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import express from "express";
import { createAnswer, createGateway, type DelegatingHandler, parseConfig, problemDetails } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { type RunningGateway, serve, startGateway } from "../helpers/start-gateway.ts";
import { listen, startUpstream, type Upstream } from "../helpers/start-upstream.ts";

/** An upstream that begins its answers after 150 ms; a slow one goes on for as long again. */
function startLate(): Promise<Upstream> {
  return startUpstream((req, res) => {
    setTimeout(() => {
      if (req.url !== "/slow") return res.end("late");
      res.write("begun, ");
      return setTimeout(() => res.end("and done"), 150);
    }, 150);
  });
}

type Row = Readonly<{ reason: string; route?: object; global?: object; path?: string; answer: readonly unknown[] }>;

const timedOut = [504, "answer-timeout"] as const;
const inTime = [200, "late"] as const;

const rows: readonly Row[] = [
  { reason: "milliseconds are milliseconds", route: { QoSOptions: { Timeout: 30 } }, answer: timedOut },
  { reason: "in old files it has another name", route: { QoSOptions: { TimeoutValue: "30" } }, answer: timedOut },
  {
    reason: "of both names today's counts",
    route: { QoSOptions: { TimeoutValue: 30, Timeout: 5000 } },
    answer: inTime,
  },
  { reason: "it goes before seconds", route: { Timeout: 0.03, QoSOptions: { Timeout: 5000 } }, answer: inTime },
  {
    reason: "and so it does where it is shorter",
    route: { Timeout: 5, QoSOptions: { Timeout: 30 } },
    answer: timedOut,
  },
  { reason: "a global one holds", global: { QoSOptions: { Timeout: 30 } }, answer: timedOut },
  {
    reason: "a global one goes before seconds of the route",
    route: { Timeout: 5 },
    global: { QoSOptions: { Timeout: 30 } },
    answer: timedOut,
  },
  {
    reason: "the route's goes before a global one",
    route: { QoSOptions: { Timeout: 5000 } },
    global: { QoSOptions: { Timeout: 30 } },
    answer: inTime,
  },
  {
    reason: "a global one holds for the routes that it names",
    global: { QoSOptions: { Timeout: 30, RouteKeys: ["other"] } },
    answer: inTime,
  },
  { reason: "0 is what tools write for nothing", route: { QoSOptions: { Timeout: 0 } }, answer: inTime },
  {
    reason: "0 leaves the global one in force",
    route: { QoSOptions: { Timeout: 0 } },
    global: { QoSOptions: { Timeout: 30 } },
    answer: timedOut,
  },
  {
    reason: "an answer that has begun may go on",
    route: { QoSOptions: { Timeout: 250 } },
    path: "/slow",
    answer: [200, "begun, and done"],
  },
  {
    reason: "a time-out may have Ocelot's status",
    route: { QoSOptions: { Timeout: 30 } },
    global: { TimeoutStatus: 503 },
    answer: [503, "answer-timeout"],
  },
  {
    reason: "also one in seconds",
    route: { Timeout: 0.03 },
    global: { TimeoutStatus: "503" },
    answer: [503, "answer-timeout"],
  },
  { reason: "or its own", route: { Timeout: 0.03 }, global: { TimeoutStatus: 504 }, answer: timedOut },
];

describe.each(engines)("How long an answer may take, with $name:", ({ create }) => {
  let upstream: Upstream;
  beforeAll(async () => void (upstream = await startLate()));
  afterAll(() => upstream.close());

  async function start({ route, global }: Row, passedOn: unknown[]): Promise<RunningGateway> {
    const host = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }] };
    const config = {
      Routes: [
        { UpstreamPathTemplate: "/{rest}", DownstreamPathTemplate: "/{rest}", ...host, ...route },
        { Key: "other", UpstreamPathTemplate: "/other", DownstreamPathTemplate: "/", ...host },
      ],
      GlobalConfiguration: global,
    };
    const gateway = createGateway(parseConfig(config, { logger: false }), { logger: false, engine: create() });
    const note: express.ErrorRequestHandler = (error, _req, _res, next) => {
      passedOn.push(error);
      next(error);
    };
    return serve(
      express()
        .use(gateway)
        .use(note)
        .use(problemDetails({ logger: false })),
      gateway,
    );
  }

  test.each(rows)("$reason", async (row) => {
    const passedOn: unknown[] = [];
    const running = await start(row, passedOn);
    try {
      const answer = await fetch(running.origin + (row.path ?? "/x"));
      const body = await answer.text();
      const seen = answer.ok ? body : (JSON.parse(body) as { code: string }).code;
      expect([answer.status, seen]).toEqual(row.answer);
      // A status from the file is answered by the gateway itself, whatever the app makes of errors.
      expect(passedOn).toHaveLength(answer.status === 504 ? 1 : 0);
    } finally {
      await running.close();
    }
  });
});

test.each(engines)(
  "A handler may answer a call that took too long, with whatever it likes ($name)",
  async ({ create }) => {
    const upstream = await startUpstream((req, res) => {
      if (req.url === "/good") res.end("elsewhere");
    });
    const host = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }] };
    const Routes = [
      { UpstreamPathTemplate: "/{way}", DownstreamPathTemplate: "/{way}", ...host, QoSOptions: { Timeout: 50 } },
    ];
    const handler: DelegatingHandler = async (outgoing, next) => {
      try {
        return await next();
      } catch {
        if (outgoing.path === "/stream") return createAnswer({ status: 200, body: Readable.from(slowly()) });
        outgoing.path = "/good";
        return next();
      }
    };
    const gateway = await startGateway({ Routes }, { logger: false, engine: create(), handlers: [handler] });
    const [streamed, elsewhere] = await Promise.all(
      ["stream", "again"].map(async (way) => (await fetch(`${gateway.origin}/${way}`)).text()),
    );
    expect([streamed, elsewhere]).toEqual(["piece by piece", "elsewhere"]);
    await gateway.close();
    await upstream.close();
  },
);

async function* slowly(): AsyncGenerator<string> {
  for (const piece of ["piece ", "by ", "piece"]) {
    await new Promise(setImmediate);
    yield piece;
  }
}

test("An answer may be announced for as long as it may take: as often as a service tells how far an upload has come", async () => {
  const hints = "HTTP/1.1 104 Upload Resumption Supported\r\n\r\n".repeat(20);
  const server = net.createServer((socket) => {
    socket
      .on("error", () => undefined)
      .once("data", () => {
        socket.write(hints);
        setTimeout(() => socket.end(`${hints}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone`), 1_100);
      });
  });
  const port = await listen(server as http.Server);
  const host = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }] };
  const Routes = [{ UpstreamPathTemplate: "/x", DownstreamPathTemplate: "/", ...host }];
  const gateways = await Promise.all(engines.map(({ create }) => startGateway({ Routes }, { engine: create() })));
  const answers = await Promise.all(gateways.map(async ({ origin }) => (await fetch(`${origin}/x`)).text()));
  expect(answers).toEqual(engines.map(() => "done"));
  await Promise.all([...gateways.map(({ close }) => close()), new Promise((resolve) => server.close(resolve))]);
});

test.each([
  ["a negative number", { QoSOptions: { Timeout: -5 } }, {}],
  ["a fraction", { QoSOptions: { Timeout: 2.5 } }, {}],
  ["a word", { QoSOptions: { TimeoutValue: "soon" } }, {}],
  ["more than a timer can count", { QoSOptions: { Timeout: 2 ** 31 } }, {}],
  ["a status that says something else", {}, { TimeoutStatus: 200 }],
])("%s stops the start", (_name, route, global) => {
  const Routes = [
    { UpstreamPathTemplate: "/x", DownstreamPathTemplate: "/", DownstreamHostAndPorts: [{ Host: "a" }], ...route },
  ];
  expect(() => parseConfig({ Routes, GlobalConfiguration: global }, { logger: false })).toThrow(/expected/);
});
