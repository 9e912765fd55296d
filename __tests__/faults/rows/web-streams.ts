import { PassThrough, Readable, Transform } from "node:stream";
import type { Responder } from "../../../src/index.ts";
import type { Wire } from "../wire.ts";
import { handled, post, type Row } from "./row.ts";
import { piecesOf } from "../../helpers/pieces-of.ts";

/** Lets a body go through a stream of the web platform, as those that compress or decode are. */
const throughWeb = (body: Readable): Readable =>
  Readable.fromWeb(Readable.toWeb(body).pipeThrough(new TransformStream()));

/** What is made of a body so that it fails with it, and has no listener for that. */
const derivings: readonly (readonly [name: string, derive: (body: Readable) => Readable])[] = [
  ["a web stream of the body", throughWeb],
  ["what a generator makes of the body", (body) => Readable.from(piecesOf(body))],
  ["a stream that is composed with the body", (body) => body.compose(new PassThrough()) as Readable],
];

/** Begins a long answer, and goes on somehow. */
const begins = (goOn: (wire: Wire) => unknown) => (wire: Wire) =>
  void wire.until("\r\n\r\n").then(
    () => {
      wire.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhello");
      goOn(wire);
    },
    () => undefined,
  );

/**
 * Bodies that go through web streams, and that nobody wants in the moment in which they begin to flow: Node gives pieces all
 * the same, of which its adapter throws.
 */
export const webStreamRows: readonly Row[] = [
  handled(
    "lets an answer go through a web stream, and fails",
    async (_outgoing, next) => {
      const answer = await next();
      answer.body = throughWeb(answer.body);
      throw new Error("no");
    },
    ["500"],
    { calls: 1 },
  ),
  handled(
    "lets an answer go through a web stream, of which the client gets the head alone",
    async (_outgoing, next) => {
      const answer = await next();
      answer.body = throughWeb(answer.body);
      answer.status = 304;
      return answer;
    },
    ["304"],
    { calls: 1 },
  ),
  handled(
    "lets a request go through a web stream, and leads it where none goes",
    async (outgoing, next) => {
      await new Promise(setImmediate);
      outgoing.body = throughWeb(outgoing.body as Readable);
      outgoing.path = "/../x";
      return next();
    },
    ["400"],
    { send: post, calls: 0 },
  ),
  ...derivings.flatMap(([name, derive]): Row[] => {
    const responder: Responder = ({ body }, { res }) => void derive(body).pipe(res);
    return [
      {
        name: `responder pipes ${name} into the response, and the client leaves`,
        options: { serveOne: begins(() => undefined), gateway: { responder } },
        gets: [],
        leaves: true,
        calls: 1,
      },
      {
        name: `responder pipes ${name} into the response, and the body breaks off`,
        options: {
          serveOne: begins(({ socket }) => setTimeout(() => socket.resetAndDestroy(), 20)),
          gateway: { responder },
        },
        gets: "cut",
        calls: 1,
      },
    ];
  }),
  {
    name: "responder pipes what fails into the response, and answers by a listener that leaves first",
    options: {
      serveOne: begins(() => undefined),
      gateway: {
        responder({ body }, { res }) {
          const refusing = new Transform({ transform: (_piece, _encoding, done) => done(new Error("no")) });
          refusing.once("error", () => {
            refusing.unpipe(res);
            setImmediate(() => res.writeHead(502).end("the responder's"));
          });
          body.pipe(refusing).pipe(res);
        },
      },
    },
    gets: ["502", "the responder's"],
    calls: 1,
  },
];
