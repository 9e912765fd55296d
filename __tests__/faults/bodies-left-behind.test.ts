import { once } from "node:events";
import net from "node:net";
import { createInterface } from "node:readline";
import { finished, PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { createGzip } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { createAnswer, type DelegatingHandler, type GatewayOptions, type Responder } from "../../src/index.ts";
import { isLong, takingTurns } from "../fuzz/bounds.ts";
import { engines } from "../helpers/engines.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";
import { piecesOf } from "../helpers/pieces-of.ts";

/** What code makes of a body, to whose failure nobody listens before it is handed over. */
const derivings: Readonly<Record<string, (body: Readable) => Readable>> = {
  web: (body) => Readable.fromWeb(Readable.toWeb(body).pipeThrough(new TransformStream())),
  composed: (body) => body.compose(new PassThrough()) as Readable,
  handedOn(body) {
    const passing = new PassThrough();
    body.on("error", (error) => passing.destroy(error));
    return body.pipe(passing);
  },
  lines(body) {
    const upper = new PassThrough();
    createInterface({ input: body }).on("line", (line) => upper.write(line.toUpperCase()));
    return upper;
  },
  generated: (body) => takeOver(Readable.from(piecesOf(body))),
  mapped: (body) => takeOver(body.map((piece: Buffer) => piece)),
};

async function* linesOf(body: Readable): AsyncGenerator<string> {
  for await (const line of createInterface({ input: body })) yield `${line}\n`;
}

async function passTurns(count: number): Promise<void> {
  for (let passed = 0; passed < count; passed += 1) await new Promise((resolve) => void setImmediate(resolve));
}

/** Takes over what a stream gives, and hears nothing of its failures. */
function takeOver(stream: Readable): Readable {
  const taker = new PassThrough();
  stream.on("data", (piece) => taker.write(piece)).on("end", () => taker.end());
  return taker;
}

/** How long code keeps a stream to itself while its client leaves. */
const moment = 100;
/** By then bodies that nobody took are closed. */
const soon = 1_300;

/** Who waits until code makes something of a body. */
const waiting = new Map<string, () => void>();

function derive(path: string, body: Readable): Readable {
  begin(path);
  return derivings[/\w+$/.exec(path)![0]]!(body);
}

function begin(path: string): void {
  waiting.get(/\w+-\w+$/.exec(path)![0])?.();
}

const pipes: DelegatingHandler = async (_outgoing, next) => {
  const answer = await next();
  answer.body = answer.body.pipe(new PassThrough());
  return answer;
};

const composes: DelegatingHandler = async (_outgoing, next) => {
  const answer = await next();
  answer.body = answer.body.compose(new PassThrough()) as Readable;
  return answer;
};

const listensBeside: DelegatingHandler = async ({ path }, next) => {
  const answer = await next();
  derive(path, answer.body).on("data", () => undefined);
  return answer;
};

const mapsAndPipes: DelegatingHandler = async (_outgoing, next) => {
  const answer = await next();
  answer.body = answer.body.map((piece: Buffer) => piece).pipe(new PassThrough());
  return answer;
};

const asksLate: DelegatingHandler = async ({ path }, next) => {
  const answer = await next();
  begin(path);
  await pause(moment);
  answer.body = derive(path, answer.body);
  return answer;
};

const asksLateInResponder: Responder = async (upstream, { req }, respond) => {
  begin(req.url!);
  await pause(moment);
  upstream.body = derive(req.url!, upstream.body);
  return respond();
};

const pipesAndWaits: DelegatingHandler = async ({ path }, next) => {
  const answer = await next();
  answer.body = answer.body.pipe(new PassThrough());
  begin(path);
  await pause(moment);
  return answer;
};

const respondsAtOnce: Responder = (upstream, { req }, respond) => {
  upstream.body = derive(req.url!, upstream.body);
  return respond();
};

const goesOn: Responder = async (_upstream, _context, respond) => {
  await respond();
  await pause(moment);
};

const listensAndGoesOn: Responder = async (upstream, { req }, respond) => {
  derive(req.url!, upstream.body).on("data", () => undefined);
  await respond();
  await pause(moment);
};

/** Ways of code that leave a body behind; all of them live in Express with `fetch`. */
const ways: readonly (readonly [name: string, options: GatewayOptions, gets: "nothing" | RegExp])[] = [
  [
    "hands it over when its client has left",
    { handlers: [handler(async (made) => await handOverLate(made))] },
    "nothing",
  ],
  ["fails meanwhile", { handlers: [handler(() => Promise.reject(new Error("no")))] }, /^HTTP\/1.1 500/],
  [
    "answers something else",
    { handlers: [handler(() => createAnswer({ status: 502, body: "sorry" }))] },
    /^HTTP\/1.1 502/,
  ],
  [
    "answers another stream",
    { handlers: [handler(() => createAnswer({ status: 502, body: Readable.from(["sorry"]) }))] },
    /^HTTP\/1.1 502/,
  ],
  ["hands it over at once", { handlers: [handler((made) => createAnswer({ status: 200, body: made }))] }, "nothing"],
  ["fails in a responder", { responder: failsLate }, /^HTTP\/1.1 500/],
  ["hands it over late in a responder", { responder: respondsLate }, "nothing"],
  ["listens to it beside what it hands on", { handlers: [listensBeside] }, "nothing"],
  ["listens to it beside what it is piped into", { handlers: [listensBeside, pipes] }, "nothing"],
  ["listens to it in a responder that goes on behind its answer", { responder: listensAndGoesOn }, "nothing"],
  [
    "hands it over at once, and a responder goes on behind its answer",
    { handlers: [handler((made) => createAnswer({ status: 200, body: made }))], responder: goesOn },
    "nothing",
  ],
  ["asks for it when its client has left", { handlers: [asksLate] }, "nothing"],
  ["asks for it in a responder when its client has left", { responder: asksLateInResponder }, "nothing"],
  [
    "waits while its client leaves, and a responder makes more of it",
    { handlers: [pipesAndWaits], responder: respondsAtOnce },
    "nothing",
  ],
  [
    "hands it over at once, made of what other code has mapped and piped",
    { handlers: [handler((made) => createAnswer({ status: 200, body: made })), mapsAndPipes] },
    "nothing",
  ],
  ["hands it over late, made of what other code has piped", { handlers: [handler(handOverLate), pipes] }, "nothing"],
  ["hands it over late, made of what other code has made", { handlers: [handler(handOverLate), composes] }, "nothing"],
];

async function respondsLate(...[upstream, { req }, respond]: Parameters<Responder>): Promise<void> {
  const made = derive(req.url!, upstream.body);
  await pause(moment);
  upstream.body = made;
  return respond();
}

function handler(
  answer: (made: Readable) => ReturnType<DelegatingHandler> | Awaited<ReturnType<DelegatingHandler>>,
): DelegatingHandler {
  return async ({ path }, next) => answer(derive(path, (await next()).body));
}

async function handOverLate(body: Readable): ReturnType<DelegatingHandler> {
  await pause(moment);
  return createAnswer({ status: 200, body });
}

async function failsLate(...[{ body }, { req }]: Parameters<Responder>): Promise<void> {
  derive(req.url!, body);
  await pause(moment);
  throw new Error("no");
}

/** Asks for something, and leaves a moment after code has begun with its body, or once there is an answer. */
async function visit({ port }: RunningGateway, path: string, gets: "nothing" | RegExp): Promise<void> {
  const client = net.connect(port, "127.0.0.1").on("error", () => undefined);
  client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  if (gets === "nothing") {
    await new Promise<void>((resolve) => waiting.set(/[\w-]+$/.exec(path)![0], resolve));
    await pause(moment / 2);
  } else expect(String((await once(client, "data"))[0])).toMatch(gets);
  client.destroy();
}

/** Where the code stands: on which route, in which folder of paths, and behind which other handlers. */
const places = [
  ["", {}, "/", []] as const,
  [", on a route with a cache", { CacheOptions: { TtlSeconds: 20 } }, "/", []] as const,
  [", behind an aggregate", {}, "/all/", []] as const,
  [", behind an aggregate of one part", {}, "/one/", []] as const,
  [", behind an aggregate of one part that a handler has piped", {}, "/one/", [pipes]] as const,
  [", behind an aggregate of one part that a handler has composed", {}, "/one/", [composes]] as const,
];

describe.each(engines)("Bodies that code leaves behind ($name)", ({ create, turn }) => {
  // In the short form each place is tried with one engine.
  test.each(takingTurns(places, engines.length, turn))(
    "end no process, and no connection stays%s",
    async (_name, cache, folder, inner) => {
      const upstream = await startUpstream((_req, res) => {
        const writing = setInterval(() => res.write("line\n"), 10);
        res.on("close", () => clearInterval(writing));
      });
      const host = { Host: "127.0.0.1", Port: upstream.port };
      const route = { DownstreamPathTemplate: "/{kind}", DownstreamHostAndPorts: [host], ...cache };
      const Routes = [
        { ...route, Key: "a", UpstreamPathTemplate: "/{kind}" },
        { ...route, Key: "b", UpstreamPathTemplate: "/other/{kind}" },
      ];
      const Aggregates = [
        { UpstreamPathTemplate: "/all/{kind}", RouteKeys: ["a", "b"] },
        { UpstreamPathTemplate: "/one/{kind}", RouteKeys: ["a"] },
      ];
      const config = { Routes, Aggregates };
      await Promise.all(
        ways.map(async ([, options, gets], way) => {
          const handlers = [...(options.handlers ?? []), ...inner];
          const gateway = await startGateway(config, { logger: false, engine: create(), ...options, handlers });
          await Promise.all(
            Object.keys(derivings).map((kind) =>
              visit(gateway, `${folder}${way}-${kind}`, folder === "/all/" && gets !== "nothing" ? /^HTTP/ : gets),
            ),
          );
          await pause(soon);
          await gateway.close();
        }),
      );
      const open = await new Promise((resolve) => upstream.server.getConnections((_error, count) => resolve(count)));
      expect(open).toBe(0);
      await upstream.close();
    },
  );

  test("end no process where what they are made of is all there, and they are not read", async () => {
    const upstream = await startUpstream((_req, res) => void res.end("line\n"));
    const host = { Host: "127.0.0.1", Port: upstream.port };
    const route = {
      UpstreamPathTemplate: "/{kind}",
      DownstreamPathTemplate: "/{kind}",
      DownstreamHostAndPorts: [host],
    };
    const visits = ["/read", "/got"].map((path) => ({
      path,
      client: new net.Socket().on("error", () => undefined),
      closed: Promise.withResolvers<void>(),
    }));
    const handsOver: DelegatingHandler = async ({ path }, next) => {
      const { client, closed } = visits.find((visited) => visited.path === path)!;
      const answer = await next();
      const whole = await text(answer.body);
      client.destroy();
      await pause(moment);
      const zipped = Readable.from([whole]).compose(createGzip()) as Readable;
      zipped.on("close", closed.resolve);
      answer.body = zipped;
      return answer;
    };
    const gets: DelegatingHandler = async ({ path }, next) => {
      const answer = await next();
      if (path === "/got") answer.body.on("close", () => undefined);
      return answer;
    };
    const gateway = await startGateway({ Routes: [route] }, { engine: create(), handlers: [gets, handsOver] });
    for (const { path, client } of visits) {
      client.connect(gateway.port, "127.0.0.1").write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    }
    await Promise.all(visits.map(({ closed }) => closed.promise));
    await gateway.close();
    await upstream.close();
  });

  test("end no process where the gateway closes while code is at work on them", async () => {
    const upstream = await startUpstream((_req, res) => void res.write("line\n"));
    const host = { Host: "127.0.0.1", Port: upstream.port };
    const route = { UpstreamPathTemplate: "/{kind}", DownstreamPathTemplate: "/", DownstreamHostAndPorts: [host] };
    const gateway = await startGateway({ Routes: [route] }, { engine: create(), handlers: [handler(handOverLate)] });
    const begun = Object.keys(derivings).map((kind) => {
      const client = net.connect(gateway.port, "127.0.0.1").on("error", () => undefined);
      client.write(`GET /0-${kind} HTTP/1.1\r\nHost: a\r\n\r\n`);
      return once(client.resume(), "close");
    });
    while (upstream.requests.length < begun.length) await pause(10);
    await pause(moment / 2);
    await gateway.close();
    await Promise.all(begun);
    await upstream.close();
  });

  test("end no process where the service resets as the gateway closes, and lines of them are read", async () => {
    const sockets: net.Socket[] = [];
    const upstream = await startUpstream((req, res) => {
      sockets.push(req.socket);
      res.write("line of text\n".repeat(50_000));
    });
    const host = { Host: "127.0.0.1", Port: upstream.port };
    const route = { UpstreamPathTemplate: "/", DownstreamPathTemplate: "/", DownstreamHostAndPorts: [host] };
    const reads: DelegatingHandler = async (_outgoing, next) => {
      const answer = await next();
      answer.body = Readable.from(linesOf(answer.body));
      return answer;
    };
    for (const turns of [-3, -2, -1, 0, 1, 2, 3, 4].flatMap((turns) => Array<number>(isLong ? 3 : 1).fill(turns))) {
      const gateway = await startGateway({ Routes: [route] }, { logger: false, engine: create(), handlers: [reads] });
      const client = net.connect(gateway.port, "127.0.0.1").on("error", () => undefined);
      const gone = new Promise((resolve) => client.once("close", resolve));
      client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      await once(client, "data");
      // By then the rest stands still on its way.
      await pause(30);
      const reset = (): void => void sockets.pop()!.resetAndDestroy();
      if (turns < 0) reset();
      await passTurns(-turns);
      const closing = gateway.close();
      await passTurns(turns);
      if (turns >= 0) reset();
      await closing;
      client.resume();
      await gone;
    }
    expect(sockets).toEqual([]);
    await upstream.close();
  });

  test("give their connection back where they end as their client leaves", async () => {
    let end: (() => void) | undefined;
    const upstream = await startUpstream((_req, res) => {
      res.write("begin");
      end = () => void res.end("end");
    });
    const host = { Host: "127.0.0.1", Port: upstream.port };
    const route = { UpstreamPathTemplate: "/", DownstreamPathTemplate: "/", DownstreamHostAndPorts: [host] };
    const waitsForEnd: DelegatingHandler = async (_outgoing, next) => {
      const answer = await next();
      finished(answer.body, () => undefined);
      return answer;
    };
    const gateway = await startGateway({ Routes: [route] }, { engine: create(), handlers: [waitsForEnd] });
    for (let visits = 0; visits < 10; visits += 1) {
      const client = net.connect(gateway.port, "127.0.0.1").on("error", () => undefined);
      client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      await once(client, "data");
      await pause(2);
      client.destroy();
      setImmediate(end!);
      await pause(10);
    }
    const open = await new Promise((resolve) => upstream.server.getConnections((_error, count) => resolve(count)));
    expect(open).toBeLessThanOrEqual(2);
    await gateway.close();
    await upstream.close();
  });

  test("come whole to a loop that goes on by itself, if that takes no longer than a second", async () => {
    const upstream = await startUpstream((_req, res) => {
      res.write("begin, ");
      setTimeout(() => res.end("end"), moment);
    });
    const host = { Host: "127.0.0.1", Port: upstream.port };
    const route = { UpstreamPathTemplate: "/", DownstreamPathTemplate: "/", DownstreamHostAndPorts: [host] };
    let reading: Promise<string> | undefined;
    const answersAtOnce: DelegatingHandler = async (_outgoing, next) => {
      const { body } = await next();
      reading = text(body);
      return createAnswer({ status: 202, body: "" });
    };
    const gateway = await startGateway({ Routes: [route] }, { engine: create(), handlers: [answersAtOnce] });
    expect((await fetch(gateway.origin)).status).toBe(202);
    expect(await reading).toBe("begin, end");
    await gateway.close();
    await upstream.close();
  });
});
