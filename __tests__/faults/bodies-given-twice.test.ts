import { once } from "node:events";
import { PassThrough, pipeline, type Readable, Transform } from "node:stream";
import { describe, expect, test } from "@jest/globals";
import { createAnswer, type DelegatingHandler, metadataResponder, type UpstreamResponse } from "../../src/index.ts";
import type { Sink } from "../../src/bodies/answer-body.ts";
import { createHeldBody } from "../../src/bodies/held-body.ts";
import { createStreamBody } from "../../src/bodies/stream-body.ts";
import { engines } from "../helpers/engines.ts";
import { request, type SceneOptions, setScene } from "./scene.ts";
import type { Wire } from "./wire.ts";

const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n";
const get = (path: string, method = "GET"): string => request(method, path, "Connection: close");
const refused = /^HTTP\/1\.1 500 [^]*handler-misuse/;
// What reads an answer on its way has begun its own by then.
const cutOff = /^(?!HTTP\/1\.1 500)(?![^]*\r\n0\r\n\r\n$)(?![^]*yyzz)/;

const begin = ({ until, write }: Wire): void => {
  void until("\r\n\r\n").then(
    () => write(`${head}"wwxx`),
    () => undefined,
  );
};

/** A handler that makes one call for all requests of a route. */
function sharing(use: (answer: UpstreamResponse) => unknown = () => undefined): DelegatingHandler {
  const calls = new WeakMap<object, Promise<UpstreamResponse>>();
  return (_outgoing, next, { route }) => {
    const call =
      calls.get(route) ??
      next().then((answer) => {
        use(answer);
        return answer;
      });
    calls.set(route, call);
    return call;
  };
}

const listening = ({ body }: UpstreamResponse) => body.once("close", () => undefined);

/** Each request gets an answer of its own, but the body of the one call. */
function sharingBodies(): DelegatingHandler {
  const shared = sharing();
  return async (...call) => {
    const { status, headers, body } = await shared(...call);
    return createAnswer({ status, headers: { ...headers, "content-length": "10" }, body });
  };
}

function throughTransform(answer: UpstreamResponse): void {
  const transform = new Transform({ transform: (piece, _encoding, callback) => callback(null, piece) });
  pipeline(answer.body, transform, () => undefined);
  answer.body = transform;
}

const passing: DelegatingHandler = (_outgoing, next) => next();

/** Each request gets the same answer, with a stream of the handler's own. */
function keeping(make: (init: { status: number; body: Readable }) => UpstreamResponse): DelegatingHandler {
  const shared = sharing();
  let kept: UpstreamResponse | undefined;
  return async (...call) => {
    const { body } = await shared(...call);
    return (kept ??= make({ status: 200, body: body.pipe(new PassThrough()) }));
  };
}

const outer: DelegatingHandler = async (_outgoing, next) => {
  const answer = await next();
  throughTransform(answer);
  return answer;
};

/** Who gives a body to several, and what the second client gets while the first one has half of it. */
const givers: readonly Readonly<{ name: string; options: () => SceneOptions; second?: RegExp; paths?: string[] }>[] = [
  {
    name: "a handler and the metadata responder",
    options: () => ({
      route: { Metadata: { a: "b" } },
      gateway: { handlers: [sharing()], responder: metadataResponder() },
    }),
  },
  {
    name: "a handler behind a cache",
    options: () => ({
      route: { CacheOptions: { TtlSeconds: 60, BeforeHandlers: true } },
      gateway: { handlers: [sharing()] },
    }),
    paths: ["/x?a", "/x?b"],
  },
  {
    name: "a handler that listens on the body, and a responder that transforms it",
    options: () => ({
      gateway: {
        handlers: [sharing(listening)],
        responder(answer, _context, respond) {
          throughTransform(answer);
          return respond();
        },
      },
    }),
    second: cutOff,
  },
  {
    name: "a handler that listens on the body, and an outer one that transforms it",
    options: () => ({ gateway: { handlers: [outer, sharing(listening)] } }),
    second: cutOff,
  },
  {
    name: "a handler that listens on the body, in an aggregate",
    options: () => ({
      route: { Key: "a" },
      aggregates: [{ UpstreamPathTemplate: "/all/{everything}", RouteKeys: ["a", "b"] }],
      gateway: { handlers: [sharing(listening)] },
    }),
    paths: ["/all/x", "/all/x"],
    second: /^HTTP\/1\.1 500 [^]*part-failed/,
  },
  {
    name: "a handler that makes answers of one body",
    options: () => ({ gateway: { handlers: [sharingBodies()] } }),
  },
  ...[createAnswer, (init: { status: number; body: Readable }) => ({ statusText: "", headers: {}, ...init })].map(
    (make, index) => ({
      name: `a handler that keeps an answer of its own, ${["made by createAnswer", "an object"][index]}, behind another one`,
      options: () => ({ gateway: { handlers: [passing, keeping(make)] } }),
    }),
  ),
];

describe.each(engines)("$name", ({ create }) => {
  test.each(givers)("$name: the first client gets all, the second nothing of it", async (giver) => {
    const { options, second = refused, paths: [first = "/x", other = "/x"] = [] } = giver;
    const services: Wire[] = [];
    const serveOne = (wire: Wire) => {
      services.push(wire);
      begin(wire);
    };
    const scene = await setScene(create(), { serveOne, isPlain: true, ...options() });
    const [one, two] = [scene.client(), scene.client()];
    one.write(get(first));
    await one.until("wwxx");
    two.write(get(other));
    await two.ended;
    for (const { write } of services) write('yyzz"');
    await one.ended;
    expect({ one: one.received().replaceAll(/(?:\r\n)?[0-9a-f]+\r\n/g, ""), two: two.received() }).toEqual({
      one: expect.stringContaining('"wwxxyyzz"'),
      two: expect.stringMatching(second),
    });
    await scene.leave();
  });

  test("a handler that listens on a body may end it, whoever stands between it and the client", async () => {
    const ending = async (_outgoing: unknown, next: () => Promise<UpstreamResponse>) => {
      const answer = await next();
      answer.body.on("data", () => answer.body.destroy(new Error("enough")));
      return answer;
    };
    const options = { serveOne: begin, isPlain: true, gateway: { handlers: [passing, ending] } };
    const scene = await setScene(create(), options);
    const client = scene.client();
    client.write(get("/x"));
    await client.ended;
    expect(client.received()).not.toContain("yyzz");
    await scene.leave();
  });
});

/** A taker that notes what it is told. */
function createTaker(): Sink & Readonly<{ got: string[] }> {
  const got: string[] = [];
  return {
    got,
    write: (piece) => got.push(String(piece)) > 0,
    end: () => void got.push("end"),
    fail: ({ message }) => void got.push(message),
  };
}

test("a body goes to its first taker alone: the second is refused at once, and cannot end it", async () => {
  const stream = new PassThrough();
  const held = createHeldBody({ resume: () => undefined, abort: () => stream.destroy() });
  const [streamed, again] = [createStreamBody(stream), createStreamBody(stream)];
  const takers = Array.from({ length: 4 }, createTaker);
  held.sendTo(takers[0]!);
  held.sendTo(takers[1]!);
  streamed.sendTo(takers[2]!);
  again.sendTo(takers[3]!);
  held.toStream().destroy();
  again.flow.abort(new Error("The second taker leaves."));
  held.write(Buffer.from("a"));
  held.end();
  stream.end("a");
  await once(stream, "close");
  expect(held.takeWhole()).toBeUndefined();
  const refusal = expect.stringContaining("given to two requests");
  expect(takers.map(({ got }) => got)).toEqual([["a", "end"], [refusal], ["a", "end"], [refusal]]);
});
