import { Readable } from "node:stream";
import { handled, post, type Row } from "./row.ts";

/** Lets a body go through a stream of the web platform, as those that compress or decode are. */
const throughWeb = (body: Readable): Readable =>
  Readable.fromWeb(Readable.toWeb(body).pipeThrough(new TransformStream()));

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
];
