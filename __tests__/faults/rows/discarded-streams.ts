import { once } from "node:events";
import { PassThrough, Readable, Transform } from "node:stream";
import { setImmediate as later } from "node:timers/promises";
import { createAnswer, type DelegatingHandler, type Responder } from "../../../src/index.ts";
import type { Scene } from "../scene.ts";
import type { Wire } from "../wire.ts";
import { answering, post, type Row } from "./row.ts";

type Open = () => Readable;

/** What discards a stream: what the row is called, the code that opens it, and what the client gets. */
type Discarding = Readonly<{ name: string; gets?: Row["gets"]; send?: string; calls?: number; leaves?: true }> &
  (
    | Readonly<{ handlers: (open: Open) => readonly DelegatingHandler[] }>
    | Readonly<{ responder: (open: Open) => Responder }>
  );

/** Passes on the first bytes of what it is given, and ends. */
const firstBytes = (): Transform =>
  new Transform({
    transform(piece, _encoding, callback) {
      this.push(piece);
      this.push(null);
      callback();
    },
  });

const answerWith =
  (...bodies: readonly (Readable | string)[]): DelegatingHandler =>
  () => {
    const answer = createAnswer({ status: 200 });
    for (const body of bodies) answer.body = body;
    return Promise.resolve(answer);
  };

const discardings: readonly Discarding[] = [
  {
    name: "handler replaces the stream of its answer by a text",
    handlers: (open) => [(...call) => answerWith(open(), "other")(...call)],
    gets: ["other"],
  },
  {
    name: "handler replaces the stream of its answer by another stream",
    handlers: (open) => [(...call) => answerWith(open(), Readable.from(["other"]))(...call)],
    gets: ["other"],
  },
  {
    name: "handler replaces the stream that stands in the upstream's answer",
    handlers: (open) => [
      async (_outgoing, next) => {
        const answer = await next();
        answer.body = open();
        answer.body = "other";
        return answer;
      },
    ],
    gets: ["other"],
    calls: 1,
  },
  {
    name: "handler answers anew, in the place of an inner answer that is a stream",
    handlers: (open) => [
      async (_outgoing, next) => {
        await next();
        return createAnswer({ status: 200, body: "other" });
      },
      () => Promise.resolve(createAnswer({ status: 200, body: open() })),
    ],
    gets: ["other"],
  },
  {
    name: "handler throws away an inner answer that is an object with a stream",
    handlers: (open) => [
      async (_outgoing, next) => {
        await next();
        return createAnswer({ status: 200, body: "other" });
      },
      () => Promise.resolve({ status: 200, statusText: "", headers: {}, body: open() }),
    ],
    gets: ["other"],
  },
  {
    name: "handler fails behind an inner answer that is a stream",
    handlers: (open) => [
      async (_outgoing, next) => {
        await next();
        throw new Error("no");
      },
      () => Promise.resolve(createAnswer({ status: 200, body: open() })),
    ],
    gets: ["500"],
  },
  {
    name: "handler pipes its stream into one that ends sooner",
    handlers: (open) => [
      async (_outgoing, next) => {
        const answer = await next();
        answer.body = open();
        answer.body = answer.body.pipe(firstBytes());
        return answer;
      },
    ],
    gets: ["first", "0\r\n\r\n"],
    calls: 1,
  },
  {
    name: "handler pipes its stream into another one, and the client leaves",
    handlers: (open) => [
      async (_outgoing, next) => {
        const answer = await next();
        answer.body = open();
        answer.body = answer.body.pipe(new PassThrough());
        return answer;
      },
    ],
    gets: ["first"],
    leaves: true,
  },
  {
    name: "handler answers with a stream when the client has left",
    handlers: (open) => [
      async (_outgoing, next, { signal }) => {
        await next().catch(() => undefined);
        if (!signal.aborted) await once(signal, "abort");
        return createAnswer({ status: 200, body: open() });
      },
    ],
    gets: [],
    leaves: true,
  },
  {
    name: "responder replaces its stream",
    responder: (open) => (upstream, _context, respond) => {
      upstream.body = open();
      upstream.body = "other";
      return respond();
    },
    gets: ["other"],
    calls: 1,
  },
  {
    name: "responder assigns a stream, and answers by itself",
    responder:
      (open) =>
      (upstream, { res }) => {
        upstream.body = open();
        res.end("other");
      },
    gets: ["other"],
    calls: 1,
  },
  {
    name: "responder assigns a stream, and fails",
    responder: (open) => (upstream) => {
      upstream.body = open();
      throw new Error("no");
    },
    gets: ["500"],
    calls: 1,
  },
  {
    name: "handler replaces the stream of a request",
    handlers: (open) => [
      (outgoing, next) => {
        outgoing.body = open();
        outgoing.body = Buffer.from("other");
        return next();
      },
    ],
    send: post,
    calls: 1,
  },
  {
    name: "handler pipes the stream of a request into one that ends sooner",
    handlers: (open) => [
      (outgoing, next) => {
        const opened = open();
        outgoing.body = opened;
        outgoing.body = opened.pipe(firstBytes());
        return next();
      },
    ],
    send: post,
    calls: 1,
  },
  {
    name: "handler assigns a stream to a request, and answers by itself",
    handlers: (open) => [
      (outgoing) => {
        outgoing.body = open();
        return Promise.resolve(createAnswer({ status: 200, body: "other" }));
      },
    ],
    gets: ["other"],
    calls: 0,
  },
];

/** Streams that nobody reads any more: each is open for ever, unless the gateway destroys it at the end of the exchange. */
export const discardedStreamRows: readonly Row[] = discardings.map(toRow);

function toRow({ name, gets = ["ok"], send, calls, leaves, ...discarding }: Discarding): Row {
  const opened: Readable[] = [];
  const gateway =
    "handlers" in discarding ? { handlers: discarding.handlers(open) } : { responder: discarding.responder(open) };
  return {
    name: `${name}: it is destroyed at the end`,
    options: { serveOne: answering(), gateway },
    gets,
    more: endsAll,
    ...(send === undefined ? {} : { send }),
    ...(calls === undefined ? {} : { calls }),
  };

  /** A stream that gives something, and then neither more nor an end. */
  function open(): Readable {
    const stream = new Readable({ read: () => undefined });
    stream.push("first");
    opened.push(stream);
    return stream;
  }

  async function endsAll({ upstream }: Scene, { socket }: Wire): Promise<void> {
    if (leaves) {
      await (await upstream.next()).until("\r\n\r\n");
      socket.destroy();
    }
    while (opened.length === 0) await later();
    for (const stream of opened.splice(0)) if (!stream.closed) await once(stream, "close");
  }
}
