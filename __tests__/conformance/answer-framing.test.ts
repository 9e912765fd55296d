import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import express from "express";
import { createGateway, parseConfig, problemDetails } from "../../src/index.ts";
import { isLong } from "../fuzz/bounds.ts";
import { engines } from "../helpers/engines.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { watchProcess } from "../helpers/watch-process.ts";
import { type Claim, expectClaims } from "./claims.ts";
import { type Given, type Interference, interferences } from "./interferences.ts";
import { readAll } from "./read-all.ts";
import { type Message, readMessages, valuesOf } from "./read-messages.ts";
import { type StrictUpstream, sentinelTarget, startStrictUpstream } from "./strict-upstream.ts";

type Answered = Given & Readonly<{ name: string; headers: readonly string[]; bytes?: string; closes?: true }>;

/** What the upstream answers; after HEAD its head alone. */
const answers: readonly Answered[] = [
  { name: "a length", status: 200, headers: ["Content-Length: 5"], body: "hello" },
  { name: "no bytes", status: 200, headers: ["Content-Length: 0"], body: "" },
  {
    name: "chunks",
    status: 200,
    headers: ["Transfer-Encoding: chunked"],
    body: "hello",
    bytes: "5\r\nhello\r\n0\r\n\r\n",
  },
  {
    name: "chunks and trailers",
    status: 200,
    headers: ["Trailer: X-T", "Transfer-Encoding: chunked"],
    body: "hello",
    bytes: "2\r\nhe\r\n3\r\nllo\r\n0\r\nX-T: 1\r\n\r\n",
  },
  { name: "the end of the connection", status: 200, headers: [], body: "hello", closes: true },
  { name: "304 and a length", status: 304, headers: ["Content-Length: 5", 'ETag: "a"'], body: "" },
  { name: "304", status: 304, headers: [], body: "" },
  { name: "204", status: 204, headers: [], body: "" },
  { name: "204 and a length", status: 204, headers: ["Content-Length: 5"], body: "" },
  { name: "an error with a length", status: 500, headers: ["Content-Length: 5"], body: "hello" },
];

const askings = [
  { method: "GET", te: [] },
  { method: "GET", te: ["TE: trailers"] },
  { method: "HEAD", te: [] },
  { method: "POST", te: [] },
] as const;

/** An Express app, and a plain server: Node treats headers differently where none has been set before. */
const servers = ["Express", "a plain server"] as const;

const rows = interferences.flatMap((interference, index) =>
  servers.map((server, place) => ({ ...interference, server, index, place })),
);

/** In the short form each interference is played in one of the servers at one engine, in the other one at the other. */
function rowsOf(engine: number): typeof rows {
  return rows.filter(({ index, place }) => isLong || (index + engine) % servers.length === place);
}

describe.each(engines)("the next answer on a connection: $name", (engine) => {
  const { create } = engine;
  const disturbances = watchProcess();
  let upstream: StrictUpstream;

  beforeAll(async () => {
    upstream = await startStrictUpstream();
    upstream.answerWith((socket, { line }) => {
      const [method, target = ""] = line.split(" ");
      const { status, headers, body, bytes = body, closes } = answers[Number(target.slice(3))]!;
      const head = [`HTTP/1.1 ${status} Whatever`, ...headers, "", ""].join("\r\n");
      socket.write(method === "HEAD" ? head : head + bytes);
      if (closes) socket.end();
    });
  });
  afterAll(async () => {
    await upstream.close();
    disturbances.stop();
  });
  afterEach(() => expect(disturbances.take()).toEqual([]));

  describe.each(rowsOf(engine.turn))("$name, in $server", ({ server, index, ...interference }) => {
    let running: RunningGateway;
    beforeAll(async () => (running = await start(interference, server === "Express", { create, upstream })));
    afterAll(() => running.close());

    test("HTTP/1.1", async () => {
      for (const turn of turnsOf(index + 2 * engine.turn)) {
        const askingFor = (answer: number) => askings[(turn + answer) % askings.length]!;
        const sentFor = (answer: number) => {
          const { method, te } = askingFor(answer);
          return [`${method} /x/${answer} HTTP/1.1`, "Host: gw", ...te];
        };
        await eachAnswer(sentFor, (bytes, answer) => {
          return claimsOf({ method: askingFor(answer).method, bytes }, answers[answer]!, interference);
        });
      }
    });

    const isOldAsked = isLong || Math.floor(index / 2 + engine.turn) % 2 === 0;
    (isOldAsked ? test : undefined)?.("HTTP/1.0, which knows no chunks", async () => {
      const sentFor = (answer: number) => [`GET /x/${answer} HTTP/1.0`, "Host: gw", "Connection: keep-alive"];
      await eachAnswer(sentFor, (bytes, answer) => claimsOfOld(bytes, answers[answer]!, interference));
    });

    /** Asks for each answer, with the sentinel right behind it. */
    async function eachAnswer(
      sentFor: (answer: number) => readonly string[],
      judge: (bytes: string, answer: number) => Claim[],
    ): Promise<void> {
      const next = [`GET ${sentinelTarget} HTTP/1.1`, "Host: gw", "Connection: close", "", ""];
      const all = answers.map((_, answer) => readAll(running.port, [...sentFor(answer), "", ...next].join("\r\n")));
      const received = await Promise.all(all);
      expectClaims(
        received.flatMap((bytes, answer) => {
          const { name } = answers[answer]!;
          return judge(bytes, answer).map(([what, ...claim]): Claim => [`${name}: ${what}`, ...claim]);
        }),
      );
    }
  });
});

/** As many as there are askings, so that each answer is asked for by each; in the short form by one at each engine. */
function turnsOf(turn: number): Iterable<number> {
  return isLong ? askings.keys() : [turn];
}

const sentinel = { line: "HTTP/1.1 200 OK", body: `GET ${sentinelTarget}` };

type Asked = Readonly<{ method: string; bytes: string }>;

function claimsOf({ method, bytes }: Asked, answered: Answered, interference: Interference): Claim[] {
  const { messages, rest, isBroken } = readMessages(bytes, ({ line }, index) =>
    index === 0 && isBodiless(method, Number(line.split(" ")[1])) ? "none" : "framed",
  );
  const [first, second] = messages;
  if (isBroken || rest !== "" || messages.length !== 2) return [[`two answers to ${method}`, bytes, "nothing else"]];
  return [...claimsOfAnswer(first!, expectedOf(method, answered, interference)), ...claimsOfSentinel(second)];
}

function claimsOfOld(bytes: string, answered: Answered, interference: Interference): Claim[] {
  const { messages, isBroken } = readMessages(bytes, ({ headers, line }, index) => {
    if (index === 0 && isBodiless("GET", Number(line.split(" ")[1]))) return "none";
    return valuesOf(headers, "content-length").length === 1 ? "framed" : "until-close";
  });
  const [first, ...others] = messages;
  if (isBroken || first === undefined || others.length > 1) return [["one answer or two", bytes, "nothing else"]];
  return [
    ["no chunks", valuesOf(first.headers, "transfer-encoding"), []],
    ...claimsOfAnswer(first, expectedOf("GET", answered, interference)),
    ...others.flatMap(claimsOfSentinel),
  ];
}

function claimsOfSentinel(message: Message | undefined): Claim[] {
  return [["the next answer", { line: message?.line, body: message?.body }, sentinel]];
}

type Expected = Given & Readonly<{ lengths: readonly string[] }>;

function claimsOfAnswer({ line, headers, body }: Message, { status, ...expected }: Expected): Claim[] {
  const found = Number(line.split(" ")[1]);
  if (status === 502) {
    const code = found !== 502 || body === "" ? undefined : (JSON.parse(body) as { code: unknown }).code;
    return [
      ["status", found, status],
      ["code", code, body === "" ? undefined : "upstream-ill-formed"],
    ];
  }
  // Where no body follows, a length tells how long it would be; elsewhere the strict reader has judged it.
  const lengths = valuesOf(headers, "content-length").filter((length) => !expected.lengths.includes(length));
  return [
    ["status and body", { status: found, body }, { status, body: expected.body }],
    ["other lengths", lengths, []],
  ];
}

function expectedOf(method: string, answered: Answered, { makes, sends = method }: Interference): Expected {
  const given = { status: answered.status, body: sends === "HEAD" ? "" : answered.body };
  const { status, body } = makes?.(given) ?? given;
  if (!isBodiless(method, status)) return { status, body, lengths: [String(body.length)] };
  const declared = answered.headers.find((header) => header.startsWith("Content-Length: "))?.slice(16);
  const isUntouched = answered.status === status || ![204, 304].includes(answered.status);
  const told = status !== 204 && isUntouched && declared !== undefined ? [declared] : [];
  return { status, body: "", lengths: method === "HEAD" && body !== "" ? [...told, String(body.length)] : told };
}

function isBodiless(method: string, status: number): boolean {
  return method === "HEAD" || status === 204 || status === 304;
}

type Around = Readonly<{ create: (typeof engines)[number]["create"]; upstream: StrictUpstream }>;

function start(interference: Interference, isExpress: boolean, { create, upstream }: Around): Promise<RunningGateway> {
  const route = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }] };
  const config = {
    Routes: [
      { UpstreamPathTemplate: sentinelTarget, DownstreamPathTemplate: sentinelTarget, ...route },
      { UpstreamPathTemplate: "/x/{n}", DownstreamPathTemplate: "/x/{n}", ...route, ...interference.route },
    ],
  };
  const gateway = createGateway(parseConfig(config, { logger: false }), {
    engine: create(),
    logger: false,
    ...interference.options,
  });
  const { before = [] } = interference;
  if (!isExpress) return serve(before.length === 0 ? gateway : behind(before[0]!, gateway), gateway);
  const app = express();
  for (const middleware of before) app.use(middleware as express.RequestHandler);
  app.use(gateway);
  app.use(problemDetails({ logger: false }));
  return serve(app, gateway);
}

function behind(middleware: NonNullable<Interference["before"]>[number], gateway: RunningGateway["gateway"]) {
  return (req: IncomingMessage, res: ServerResponse) =>
    void middleware(req as never, res as never, () => gateway(req, res));
}
