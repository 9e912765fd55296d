import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Readable } from "node:stream";
import type { Headers, UpstreamResponse } from "../exchange.ts";
import type { AnswerBody } from "./answer-body.ts";
import { createStreamBody } from "./stream-body.ts";
import { createWholeBody } from "./whole-body.ts";

/** Writes the body that stands in an answer into the client's response. */
export const writeBody = Symbol("writeBody");

/** The body's length where it is known without reading it. */
export const knownLength = Symbol("knownLength");

/** The trailers of an answer whose body was not replaced. */
export const trailers = Symbol("trailers");

/** Takes the body's bytes if they have all come in; whoever takes them puts others in their place. */
export const takeWhole = Symbol("takeWhole");

/** Takes the body; whoever takes it puts another in its place. */
export const takeBody = Symbol("takeBody");

/** Puts a body in the place of the one that was taken, without telling its length. */
export const putBody = Symbol("putBody");

/** An answer together with the shortest way from its body to the client. */
export type WritableResponse = UpstreamResponse & {
  readonly [writeBody]: (res: ServerResponse) => Promise<void>;
  readonly [knownLength]: number | undefined;
  readonly [trailers]: readonly string[];
  readonly [takeWhole]: () => Buffer | undefined;
  readonly [takeBody]: () => AnswerBody;
  readonly [putBody]: (body: AnswerBody) => void;
};

/** An answer that may have been made by somebody else, without those ways. */
export type AnyResponse = UpstreamResponse & Partial<WritableResponse>;

/** Where a body comes from that nobody has replaced yet. */
export type BodySource = Readonly<{ body: AnswerBody; trailers: () => readonly string[] }>;

/** The head of an answer. */
export type AnswerHead = Readonly<{ status: number; statusText: string; headers: Headers }>;

// They describe the bytes of the old body.
const bodyHeaders = ["content-length", "content-encoding", "etag"];

const state = Symbol("state");

/** What has become of an answer's body so far. */
type BodyState = {
  readonly body: AnswerBody;
  /** The body as a stream, once somebody has looked at it. */
  opened: Readable | undefined;
  /** The length of a body that somebody has assigned, where it is known. */
  readonly length: number | undefined;
  readonly isAssigned: boolean;
  readonly trailers: () => readonly string[];
};

type Answer = WritableResponse & { [state]: BodyState };

/**
 * What all answers share. With accessors of its own each answer would get a hidden class of its own, which nothing but
 * a full garbage collection takes away, together with all that the accessors hold: a third of the time of a request.
 */
const answerPrototype: Omit<WritableResponse, keyof AnswerHead> & ThisType<Answer> = {
  get body(): Readable {
    return (this[state].opened ??= this[state].body.toStream());
  },
  set body(assigned: Readable | Buffer | string | null) {
    const { body, opened, isAssigned } = this[state];
    // What was read before, through a transform perhaps, goes on; what nobody looked at would block its connection.
    if (opened === undefined && !isAssigned) body.toStream().destroy();
    this[state] = { ...toBody(assigned), opened: undefined, isAssigned: true, trailers: none };
    dropBodyHeaders(this.headers);
  },
  get [knownLength]() {
    return this[state].length;
  },
  get [trailers]() {
    return this[state].trailers();
  },
  [writeBody](res) {
    return this[takeBody]().writeTo(res);
  },
  [takeWhole]() {
    const { body, opened } = this[state];
    return opened === undefined ? body.takeWhole() : undefined;
  },
  [takeBody]() {
    const { body, opened } = this[state];
    return opened === undefined ? body : createStreamBody(opened);
  },
  [putBody](body) {
    this[state] = { body, opened: undefined, length: undefined, isAssigned: false, trailers: none };
    dropBodyHeaders(this.headers);
  },
};

/** Makes the answer that handlers and responders see; its body becomes a stream only when somebody reads it. */
export function createUpstreamResponse(
  { status, statusText, headers }: AnswerHead,
  { body, trailers }: BodySource,
): WritableResponse {
  const answer = Object.create(answerPrototype) as Answer;
  answer.status = status;
  answer.statusText = statusText;
  answer.headers = headers;
  answer[state] = { body, opened: undefined, length: undefined, isAssigned: false, trailers };
  return answer;
}

function dropBodyHeaders(headers: Headers): void {
  for (const name of bodyHeaders) delete headers[name];
}

function toBody(assigned: Readable | Buffer | string | null): Pick<BodyState, "body" | "length"> {
  // A stream need not be one of Node's own: there are libraries that bring theirs along.
  if (assigned !== null && typeof assigned !== "string" && !Buffer.isBuffer(assigned))
    return { body: createStreamBody(assigned), length: undefined };
  const bytes = Buffer.isBuffer(assigned) ? assigned : Buffer.from(assigned ?? "");
  return { body: createWholeBody(bytes), length: bytes.length };
}

const none = (): [] => [];

/** What {@link createAnswer} takes. */
export type AnswerInit = Readonly<{ status: number; headers?: Headers; body?: Readable | Buffer | string | null }>;

/** Makes an answer without an upstream, for a delegating handler that answers by itself. */
export function createAnswer({ status, headers = {}, body = null }: AnswerInit): UpstreamResponse {
  const lowerCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const head = { status, statusText: STATUS_CODES[status] ?? "", headers: {} };
  const answer = createUpstreamResponse(head, { body: createWholeBody(Buffer.alloc(0)), trailers: none });
  answer.body = body;
  answer.headers = lowerCase;
  return answer;
}
