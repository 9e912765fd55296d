import { PassThrough, Readable } from "node:stream";
import { setImmediate as later } from "node:timers/promises";
import { buffer } from "node:stream/consumers";
import type { DelegatingHandler } from "../../../src/index.ts";
import { request } from "../scene.ts";
import { arrives, handled, large, post, type Row } from "./row.ts";

const misused = ["500", "handler-misuse"];
const plain = { options: { isPlain: true } } as const;

function sends(body: () => Readable | Promise<Readable>): DelegatingHandler {
  return async (outgoing, next) => {
    outgoing.body = await body();
    return next();
  };
}

function readOnce(): Readable {
  return Readable.from([Buffer.from("once")], { objectMode: false });
}

/** A stream that gives a piece and closes without an end and without an error. */
function closing(first: string | undefined): Readable {
  let pieces = 0;
  return new Readable({
    read() {
      pieces += 1;
      if (pieces === 1 && first !== undefined) this.push(first);
      else setImmediate(() => this.destroy());
    },
  });
}

const chunked = `${request("POST", "/x", "Transfer-Encoding: chunked")}2\r\nab\r\n0\r\n\r\n`;
const empty = `${request("POST", "/x", "Transfer-Encoding: chunked")}0\r\n\r\n`;

/** Streams that a handler sets as the body of a request, and that have no end, or no bytes. */
export const givenBodyRows: readonly Row[] = [
  handled(
    "sends a stream that was destroyed before",
    sends(() => new Readable({ read: () => undefined }).destroy()),
    misused,
    { calls: 0, ...plain },
  ),
  handled(
    "sends a stream that was destroyed and has closed before",
    sends(async () => {
      const body = new Readable({ read: () => undefined }).destroy();
      await later();
      return body;
    }),
    misused,
    { calls: 0, ...plain },
  ),
  handled(
    "sends a stream that is destroyed while the handler is busy",
    async (outgoing, next) => {
      const body = new PassThrough();
      outgoing.body = body;
      await later();
      body.destroy();
      return next();
    },
    misused,
    { calls: 0, ...plain },
  ),
  handled(
    "sends a stream that was read to its end before",
    sends(async () => {
      const body = readOnce();
      await buffer(body);
      return body;
    }),
    misused,
    { calls: 0, ...plain },
  ),
  handled(
    "sends a stream that has ended with nothing in it",
    sends(async () => {
      const body = new PassThrough();
      body.resume().end();
      await later();
      return body;
    }),
    ["ok"],
    { calls: 1, send: post, more: arrives("content-length: 0") },
  ),
  handled(
    "reads the client's chunks, and sends them all the same",
    async (outgoing, next) => {
      await buffer(outgoing.body as Readable);
      return next();
    },
    ["500", "body-consumed"],
    { calls: 0, send: chunked, ...plain },
  ),
  handled(
    "reads the client's empty body, and sends it",
    async (outgoing, next) => {
      await buffer(outgoing.body as Readable);
      return next();
    },
    ["ok"],
    { calls: 1, send: empty },
  ),
  handled(
    "sends a stream of objects",
    sends(() => Readable.from([{}])),
    misused,
    plain,
  ),
  handled(
    "sends a stream of bytes and then an object",
    sends(() => Readable.from(["ab", {}])),
    misused,
    plain,
  ),
  handled(
    "sends a stream of numbers",
    sends(() => Readable.from([1])),
    misused,
    plain,
  ),
  handled(
    "sends an object stream of text, bytes and other arrays of bytes",
    sends(() => Readable.from(["a", Buffer.from("b"), new Uint8Array([99]), new Uint16Array([0x64_64])])),
    ["ok"],
    { calls: 1, more: arrives("1\r\na", "1\r\nb", "1\r\nc", "2\r\ndd\r\n0\r\n\r\n") },
  ),
  handled(
    "sends a stream that closes before it gave anything",
    sends(() => closing(undefined)),
    misused,
    plain,
  ),
  handled(
    "sends a stream that closes in the middle",
    sends(() => closing("ab")),
    misused,
    plain,
  ),
  handled(
    "sends a long stream that closes in the middle",
    sends(() => closing(large)),
    misused,
    plain,
  ),
];
