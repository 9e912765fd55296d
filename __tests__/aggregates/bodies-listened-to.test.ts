import { once } from "node:events";
import type { RequestListener, ServerResponse } from "node:http";
import net from "node:net";
import { PassThrough, pipeline, Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import zlib from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { createAnswer, type DelegatingHandler, type UpstreamResponse } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { piecesOf } from "../helpers/pieces-of.ts";

const ignore = (): undefined => undefined;

type Listening = (body: Readable) => unknown;

/** What looks on beside the answer, and takes nothing of it. */
const listeners: Readonly<Record<string, Listening>> = {
  "a listener": (body) => body.on("data", ignore),
  "a pipe": (body) => body.pipe(new PassThrough()).resume(),
  "what is composed with it": (body) => (body.compose(new PassThrough()) as Readable).resume(),
};

/** What takes pieces of the answer, or waits for its end, and hears of no failure. */
const takers: Readonly<Record<string, Listening>> = {
  "web streams": (body) => Readable.fromWeb(Readable.toWeb(body)).resume(),
  "a promise of its end": (body) => void finished(body).then(ignore),
  "a generator": (body) => Readable.from(piecesOf(body)).on("data", ignore),
  "what is mapped": (body) => body.map((piece: Buffer) => piece).on("data", ignore),
};

/** What reads the body by a loop of its own, beside the gateway. */
const loops: Readonly<Record<string, Listening>> = {
  "what is mapped and piped": (body) =>
    body
      .map((piece: Buffer) => piece)
      .pipe(new PassThrough())
      .resume(),
  "what is filtered in a pipeline": (body) =>
    pipeline(
      body.filter(() => true),
      new PassThrough().resume(),
      ignore,
    ),
  "a generator that is piped": (body) => Readable.from(piecesOf(body)).pipe(new PassThrough()).resume(),
};

type Handling = (answer: UpstreamResponse) => UpstreamResponse;

const soon = (act: () => unknown): void => void setTimeout(act, 5);

/** One file for all answers, whose disk is slow: it is full, and has room again soon. */
function fullAtFirst(): Writable {
  const file = new Writable({ highWaterMark: 1, write: (_piece, _encoding, done) => soon(done) });
  file.write("of another answer");
  return file;
}

/** What sets the body flowing when the handler has returned, and the whole still waits for another part. */
const startedLater: Readonly<Record<string, Handling>> = {
  "a pipe into what is full at first": beside((body) => body.pipe(fullAtFirst(), { end: false })),
  "a pipe that is laid later": beside((body) => soon(() => body.pipe(fullAtFirst(), { end: false }))),
  "a listener that is paused at first": beside((body) => {
    body.on("data", ignore).pause();
    soon(() => body.resume());
  }),
  "a listener that comes later": beside((body) => soon(() => body.on("data", ignore))),
  "nobody who listens": beside((body) => soon(() => body.resume())),
  "code that asks for the body later": (answer) => {
    soon(() => answer.body.on("data", ignore));
    return answer;
  },
  ...Object.fromEntries(Object.entries(loops).map(([name, looping]) => [name, beside(looping)])),
  "a stream of the handler's own that is piped, too": ({ status, headers, body }) => {
    const own = body.pipe(new PassThrough());
    own.pipe(fullAtFirst(), { end: false });
    return createAnswer({ status, headers, body: own });
  },
  "what is mapped of a body that is piped, too": made((body) => body.map((piece: Buffer) => piece)),
  "a generator over a body that is piped, too": made((body) => Readable.from(piecesOf(body))),
  "web streams over a body that is piped, too": made((body) => Readable.fromWeb(Readable.toWeb(body))),
  "a stream that is made of no body, and written to later": ({ status, headers }) => {
    const own = new PassThrough();
    soon(() => {
      own.pipe(new PassThrough()).resume();
      own.end(headers["content-encoding"] === "gzip" ? zlib.gzipSync("[1,2]") : "[1,2]");
    });
    return createAnswer({ status, headers, body: own });
  },
};

function made(make: (body: Readable) => Readable): Handling {
  return ({ status, headers, body }) => {
    const own = make(body);
    body.pipe(new PassThrough()).resume();
    return createAnswer({ status, headers, body: own });
  };
}

function beside(listening: Listening): Handling {
  return (answer) => {
    listening(answer.body);
    return answer;
  };
}

async function start(handling: Handling, answer: RequestListener, engine: (typeof engines)[number]["create"]) {
  const upstream = await startUpstream(answer);
  const host = { Host: "127.0.0.1", Port: upstream.port };
  const Routes = ["a", "b"].map((Key) => ({
    Key,
    UpstreamPathTemplate: `/${Key}`,
    DownstreamPathTemplate: `/${Key}`,
    DownstreamHostAndPorts: [host],
  }));
  const listensBeside: DelegatingHandler = async (_outgoing, next) => handling(await next());
  const Aggregates = [{ UpstreamPathTemplate: "/both", RouteKeys: ["a", "b"] }];
  const gateway = await startGateway({ Routes, Aggregates }, { engine: engine(), handlers: [listensBeside] });
  return { gateway, upstream };
}

async function stop({ gateway, upstream }: Readonly<{ gateway: RunningGateway; upstream: Upstream }>): Promise<void> {
  await gateway.close();
  await upstream.close();
}

describe.each(engines)("A part's body to which a handler listens ($name)", ({ create }) => {
  test.each(Object.entries({ ...listeners, ...loops }))("is whole in the whole: %s", async (_name, listening) => {
    const running = await start(
      beside(listening),
      (req, res) => {
        res.setHeader("content-type", "application/json");
        res.write("[1,");
        // The first part waits for the head of the second one, and its body is there by then.
        setTimeout(() => res.end("2]"), req.url === "/a" ? 0 : 50);
      },
      create,
    );
    expect(await (await fetch(`${running.gateway.origin}/both`)).text()).toBe('{"a":[1,2],"b":[1,2]}');
    await stop(running);
  });

  describe.each(["identity", "gzip"])("in the coding %s", (coding) => {
    test.each(Object.entries(startedLater))(
      "is whole where it is set flowing while the whole waits: %s",
      async (_name, handling) => {
        const running = await start(
          handling,
          (req, res) => {
            res.setHeader("content-type", "text/plain").setHeader("content-encoding", coding);
            const body = coding === "gzip" ? zlib.gzipSync("[1,2]") : Buffer.from("[1,2]");
            if (req.url === "/a") res.end(body);
            else setTimeout(() => res.end(body), 50);
          },
          create,
        );
        expect(await (await fetch(`${running.gateway.origin}/both`)).text()).toBe('{"a":[1,2],"b":[1,2]}');
        await stop(running);
      },
    );
  });

  test("goes to a client who is given it while the whole waits", async () => {
    const own = new PassThrough().pause();
    const { promise: asked, resolve: ask } = Promise.withResolvers<ServerResponse>();
    const { promise: given, resolve: give } = Promise.withResolvers<undefined>();
    const running = await start(
      (answer) => {
        if (answer.status !== 202) return answer;
        give(undefined);
        return createAnswer({ status: 200, body: own });
      },
      (req, res) => {
        if (req.url === "/a") res.writeHead(202).end();
        else ask(res);
      },
      create,
    );
    const whole = fetch(`${running.gateway.origin}/both`);
    const [other] = await Promise.all([asked, given]);
    own.end("1");
    expect(await (await fetch(`${running.gateway.origin}/a`)).text()).toBe("1");
    other.end("2");
    expect((await whole).status).toBe(500);
    await stop(running);
  });

  test.each(Object.entries({ ...listeners, ...takers }))(
    "ends no process when its client leaves: %s",
    async (_name, listening) => {
      const running = await start(
        beside(listening),
        (_req, res) => {
          res.setHeader("content-type", "application/json");
          res.write("[1");
          const writing = setInterval(() => res.write(",1"), 10);
          res.on("close", () => clearInterval(writing));
        },
        create,
      );
      const client = net.connect(running.gateway.port, "127.0.0.1");
      client.write("GET /both HTTP/1.1\r\nHost: a\r\n\r\n");
      await once(client, "data");
      await pause(50);
      client.destroy();
      await pause(100);
      await stop(running);
    },
  );

  test("ends no process where it is not what its type says: a promise of its end", async () => {
    const running = await start(
      beside(takers["a promise of its end"]!),
      (_req, res) => void res.setHeader("content-type", "application/json").end("no JSON"),
      create,
    );
    await fetch(`${running.gateway.origin}/both`)
      .then((answer) => answer.text())
      .catch(ignore);
    await stop(running);
  });
});
