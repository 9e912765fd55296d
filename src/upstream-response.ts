import { type ServerResponse, STATUS_CODES } from "node:http";
import { Readable } from "node:stream";
import type { Headers, UpstreamResponse } from "./exchange.ts";
import { pipeToClient } from "./pipe-to-client.ts";

/** Writes the body that stands in an answer into the client's response. */
export const writeBody = Symbol("writeBody");

/** The body's length where it is known without reading it. */
export const knownLength = Symbol("knownLength");

/** The trailers of an answer whose body was not replaced. */
export const trailers = Symbol("trailers");

/** An answer together with the shortest way from its body to the client. */
export type WritableResponse = UpstreamResponse & {
  readonly [writeBody]: (res: ServerResponse) => Promise<void>;
  readonly [knownLength]: number | undefined;
  readonly [trailers]: readonly string[];
};

/** Where a body comes from that nobody has replaced yet. */
export type BodySource = Readonly<{
  stream: () => Readable;
  writeTo: (res: ServerResponse) => Promise<void>;
  trailers: () => readonly string[];
}>;

/** The head of an answer. */
export type AnswerHead = Readonly<{ status: number; statusText: string; headers: Headers }>;

// They describe the bytes of the old body.
const bodyHeaders = ["content-length", "content-encoding", "etag"];

/** Makes the answer that handlers and responders see; its body becomes a stream only when somebody reads it. */
export function createUpstreamResponse(
  { status, statusText, headers }: AnswerHead,
  source: BodySource,
): WritableResponse {
  let assigned: Readable | Buffer | undefined;
  let opened: Readable | undefined;

  return {
    status,
    statusText,
    headers,
    get body() {
      opened ??= Buffer.isBuffer(assigned)
        ? Readable.from([assigned], { objectMode: false })
        : (assigned ?? source.stream());
      return opened;
    },
    set body(body) {
      // What was read before, through a transform perhaps, goes on; what nobody looked at would block its connection.
      if (opened === undefined && assigned === undefined) source.stream().destroy();
      assigned = toBody(body);
      opened = undefined;
      for (const name of bodyHeaders) delete this.headers[name];
    },
    get [knownLength]() {
      return Buffer.isBuffer(assigned) ? assigned.length : undefined;
    },
    get [trailers]() {
      return assigned === undefined ? source.trailers() : [];
    },
    [writeBody](res) {
      if (Buffer.isBuffer(assigned) && opened === undefined) return endWith(res, assigned);
      return assigned === undefined && opened === undefined ? source.writeTo(res) : pipeToClient(this.body, res);
    },
  };
}

function toBody(body: Readable | Buffer | string | null): Readable | Buffer {
  if (body === null) return Buffer.alloc(0);
  return typeof body === "string" ? Buffer.from(body) : body;
}

function endWith(res: ServerResponse, body: Buffer): Promise<void> {
  return new Promise((resolve) => {
    res.once("close", resolve);
    res.end(body);
  });
}

const emptySource: BodySource = {
  stream: () => Readable.from([]),
  writeTo: (res) => endWith(res, Buffer.alloc(0)),
  trailers: () => [],
};

/** What {@link createAnswer} takes. */
export type AnswerInit = Readonly<{ status: number; headers?: Headers; body?: Readable | Buffer | string | null }>;

/** Makes an answer without an upstream, for a delegating handler that answers by itself. */
export function createAnswer({ status, headers = {}, body = null }: AnswerInit): UpstreamResponse {
  const lowerCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const answer = createUpstreamResponse({ status, statusText: STATUS_CODES[status] ?? "", headers: {} }, emptySource);
  answer.body = body;
  answer.headers = lowerCase;
  return answer;
}
