import { type ServerResponse, STATUS_CODES } from "node:http";
import { Readable } from "node:stream";
import type { Headers, UpstreamResponse } from "../exchange.ts";
import { endWith } from "./end-response.ts";
import { pipeToClient } from "./pipe-to-client.ts";

/** Writes the body that stands in an answer into the client's response. */
export const writeBody = Symbol("writeBody");

/** The body's length where it is known without reading it. */
export const knownLength = Symbol("knownLength");

/** The trailers of an answer whose body was not replaced. */
export const trailers = Symbol("trailers");

/** Takes the body's bytes if they have all come in; whoever takes them puts others in their place. */
export const takeWhole = Symbol("takeWhole");

/** Puts bytes in the place of those that were taken, without telling their length. */
export const putWhole = Symbol("putWhole");

/** An answer together with the shortest way from its body to the client. */
export type WritableResponse = UpstreamResponse & {
  readonly [writeBody]: (res: ServerResponse) => Promise<void>;
  readonly [knownLength]: number | undefined;
  readonly [trailers]: readonly string[];
  readonly [takeWhole]: () => Buffer | undefined;
  readonly [putWhole]: (bytes: Buffer) => void;
};

/** Where a body comes from that nobody has replaced yet. */
export type BodySource = Readonly<{
  stream: () => Readable;
  writeTo: (res: ServerResponse) => Promise<void>;
  trailers: () => readonly string[];
  whole?: (() => Buffer | undefined) | undefined;
}>;

/** The head of an answer. */
export type AnswerHead = Readonly<{ status: number; statusText: string; headers: Headers }>;

// They describe the bytes of the old body.
const bodyHeaders = ["content-length", "content-encoding", "etag"];

const state = Symbol("state");

/** What has become of an answer's body so far. */
type BodyState = {
  readonly source: BodySource;
  readonly assigned: Readable | Buffer | undefined;
  opened: Readable | undefined;
  readonly tellsLength: boolean;
};

type Answer = WritableResponse & { [state]: BodyState };

/**
 * What all answers share. With accessors of its own each answer would get a hidden class of its own, which nothing but
 * a full garbage collection takes away, together with all that the accessors hold: a third of the time of a request.
 */
const answerPrototype: Omit<WritableResponse, keyof AnswerHead> & ThisType<Answer> = {
  get body(): Readable {
    const { source, assigned, opened } = this[state];
    return opened ?? (this[state].opened = open(assigned) ?? source.stream());
  },
  set body(body: Readable | Buffer | string | null) {
    const { source, assigned, opened } = this[state];
    // What was read before, through a transform perhaps, goes on; what nobody looked at would block its connection.
    if (opened === undefined && assigned === undefined) source.stream().destroy();
    this[state] = { source, assigned: toBody(body), opened: undefined, tellsLength: true };
    for (const name of bodyHeaders) delete this.headers[name];
  },
  get [knownLength]() {
    const { assigned, tellsLength } = this[state];
    return tellsLength && Buffer.isBuffer(assigned) ? assigned.length : undefined;
  },
  get [trailers]() {
    const { source, assigned } = this[state];
    return assigned === undefined ? source.trailers() : [];
  },
  [writeBody](res) {
    const { source, assigned, opened } = this[state];
    if (opened !== undefined) return pipeToClient(opened, res);
    if (Buffer.isBuffer(assigned)) return endWith(res, assigned);
    return assigned === undefined ? source.writeTo(res) : pipeToClient(assigned, res);
  },
  [takeWhole]() {
    const { source, assigned, opened } = this[state];
    return assigned === undefined && opened === undefined ? source.whole?.() : undefined;
  },
  [putWhole](bytes) {
    const { source } = this[state];
    this[state] = { source, assigned: bytes, opened: undefined, tellsLength: false };
    for (const name of bodyHeaders) delete this.headers[name];
  },
};

/** Makes the answer that handlers and responders see; its body becomes a stream only when somebody reads it. */
export function createUpstreamResponse(
  { status, statusText, headers }: AnswerHead,
  source: BodySource,
): WritableResponse {
  const answer = Object.create(answerPrototype) as Answer;
  answer.status = status;
  answer.statusText = statusText;
  answer.headers = headers;
  answer[state] = { source, assigned: undefined, opened: undefined, tellsLength: true };
  return answer;
}

function open(assigned: Readable | Buffer | undefined): Readable | undefined {
  return Buffer.isBuffer(assigned) ? Readable.from([assigned], { objectMode: false }) : assigned;
}

function toBody(body: Readable | Buffer | string | null): Readable | Buffer {
  if (body === null) return Buffer.alloc(0);
  return typeof body === "string" ? Buffer.from(body) : body;
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
