import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Readable } from "node:stream";
import type { GivenHeaders, Headers, UpstreamResponse } from "../delegating-handler.ts";
import type { AnswerBody } from "../bodies/answer-body.ts";
import { goneBody, isSpent } from "../bodies/with-code/gone-body.ts";
import { isStream } from "../bodies/with-code/is-stream.ts";
import { refuseBody } from "../bodies/with-code/refuse-body.ts";
import { createStreamBody } from "../bodies/stream-body.ts";
import { knownLength, openForGateway } from "../bodies/with-code/stream-for-gateway.ts";
import { createRepeatedBody, createWholeBody } from "../bodies/whole-body.ts";
import { changeableHeaders, givenHeaders } from "../headers/given-headers.ts";
import { emptyHeaders } from "../headers/headers-without-prototype.ts";
import { ownValue } from "../headers/own-value.ts";
import { dropBodyHeaders } from "./headers-of-body.ts";
import { holdNothing, holdStream, noteOpened, type StreamHolder } from "./end-assigned-streams-with-exchange.ts";

/** Writes the body that stands in an answer into the client's response. */
export const writeBody = Symbol("writeBody");

/** The length that the head may tell where no body follows: that of the body which GET would get. */
export const toldLength = Symbol("toldLength");

/** The trailers of an answer whose body was not replaced. */
export const trailers = Symbol("trailers");

/** Takes the body's bytes if they have all come in; the taker puts another body in their place. */
export const takeWhole = Symbol("takeWhole");

/** Takes the body; the taker puts another one in its place. */
export const takeBody = Symbol("takeBody");

/** Whether the body was taken, and no other one put in its place. */
export const isTaken = Symbol("isTaken");

/** The stream that the body is, or that somebody has asked for. */
export const asStream = Symbol("asStream");

/** Puts a body in the place of the one that was taken: one of the same bytes, or one whose length is not known. */
export const putBody = Symbol("putBody");

/** An answer together with the shortest way from its body to the client. */
export type WritableResponse = UpstreamResponse & {
  readonly [writeBody]: (res: ServerResponse) => Promise<void>;
  readonly [knownLength]: number | undefined;
  readonly [toldLength]: (status: number, isHead: boolean) => number | undefined;
  readonly [trailers]: readonly string[];
  readonly [takeWhole]: () => Buffer | undefined;
  readonly [takeBody]: () => AnswerBody;
  readonly [openForGateway]: () => Readable;
  readonly [isTaken]: boolean;
  readonly [asStream]: Readable | undefined;
  readonly [putBody]: (body: AnswerBody, isSame: boolean) => void;
};

/** An answer that a user's code may have made, and that lacks these shortcuts. */
export type AnyResponse = UpstreamResponse & Partial<WritableResponse>;

/** The length that an upstream's head declares, and the status and the method on which its meaning depends. */
type Declared = Readonly<{ length: number | undefined; status: number; isHead: boolean }>;

/** A body that no handler has replaced yet, and what the upstream has declared of it. */
type BodySource = Readonly<{ body: AnswerBody; declared: Declared; trailers: () => readonly string[] }>;

/** The head of an answer. */
type AnswerHead = Readonly<{ status: number; statusText: string; headers: Headers }>;

const state = Symbol("state");

/** What has become of an answer's body so far. */
type BodyState = {
  readonly body: AnswerBody;
  /** The body as a stream, once a handler or a responder has asked for it. */
  opened: Readable | undefined;
  /** How many bytes it has, where that is known. */
  readonly length: number | undefined;
  /** What the upstream said of it; undefined for a body that is not the upstream's. */
  readonly declared: Declared | undefined;
  readonly isAssigned: boolean;
  /** Whether the bytes have gone to somebody who was not to share them. */
  isTaken: boolean;
  readonly trailers: () => readonly string[];
};

type Answer = WritableResponse & StreamHolder & { [state]: BodyState };

/**
 * What all answers share. With accessors of its own each answer would get a hidden class of its own, which nothing but
 * a full garbage collection takes away, together with all that the accessors hold: a third of the time of a request.
 */
const answerPrototype: Omit<WritableResponse, keyof AnswerHead> & ThisType<Answer> = {
  get body(): Readable {
    const stream = this[openForGateway]();
    noteOpened(this, stream);
    return stream;
  },
  set body(assigned: Readable | Buffer | string | null) {
    const { body, opened, isAssigned, isTaken: isOver } = this[state];
    const replaced = toBody(assigned);
    // A body that a handler reads, through a transform perhaps, goes on; a body without a reader would block its
    // connection.
    if (opened === undefined && !isAssigned && !isOver) body.toStream().destroy();
    this[state] = {
      ...replaced,
      isTaken: false,
      declared: undefined,
      opened: undefined,
      isAssigned: true,
      trailers: none,
    };
    this.headers = changeableHeaders(this.headers);
    dropBodyHeaders(this.headers);
    if (isStream(assigned)) holdStream(this, assigned);
  },
  [openForGateway]() {
    const { body, opened, isTaken: isOver } = this[state];
    return (this[state].opened = opened ?? (isOver ? goneBody : body).toStream());
  },
  get [knownLength]() {
    return this[state].length;
  },
  [toldLength](status, isHead) {
    const { declared, length } = this[state];
    if (declared === undefined) return isHead && status !== 304 && length !== 0 ? length : undefined;
    const isOfTheKind = declared.isHead === isHead && (declared.status === 304) === (status === 304);
    return isOfTheKind && declared.status !== 204 ? declared.length : undefined;
  },
  get [trailers]() {
    return this[state].trailers();
  },
  [writeBody](res) {
    return this[takeBody]().writeTo(res);
  },
  [takeWhole]() {
    const { body, opened, isTaken: isOver } = this[state];
    const bytes = opened === undefined && !isOver ? body.takeWhole() : undefined;
    if (bytes !== undefined) noteTaken(this[state]);
    return bytes;
  },
  get [isTaken]() {
    return this[state].isTaken || isSpent(this[asStream]);
  },
  get [asStream]() {
    const { body, opened } = this[state];
    return opened ?? body.stream;
  },
  [takeBody]() {
    const { body, opened, length, isTaken: isOver } = this[state];
    if (isOver) return goneBody;
    noteTaken(this[state]);
    // The code that has asked for the stream may have read or decoded some of it.
    return opened === undefined ? body : createStreamBody(opened, { length });
  },
  [putBody](body, isSame) {
    const { length, declared } = isSame ? this[state] : unknownLength;
    this[state] = { body, opened: undefined, length, declared, isAssigned: false, isTaken: false, trailers: none };
    if (!isSame) dropBodyHeaders(this.headers);
  },
};

/** Bytes that are all there, and that nobody takes apart, are there for the next request, too. */
function noteTaken(body: BodyState): void {
  body.isTaken = body.opened !== undefined || body.body.isRepeatable !== true;
}

/**
 * Makes an answer that is like another one, with a body of its own: bytes that are all there are there for each heir; of
 * others the first heir takes what there is.
 */
export function createHeir(answer: UpstreamResponse & Partial<Answer>): UpstreamResponse {
  const { [state]: shared } = answer;
  if (shared === undefined) return copyHandMade(answer);
  // Of one of the package's own, a copy: as a prototype each answer would get a hidden class of its own.
  const isOurs = Object.getPrototypeOf(answer) === answerPrototype;
  const heir = isOurs
    ? Object.assign(Object.create(answerPrototype) as typeof answer, answer)
    : (Object.create(answer, ownHead(answer)) as typeof answer);
  // The code that has asked for the stream may go on to listen on it; of what it has read, the next heir gets nothing.
  heir[state] = shared.isTaken ? { ...shared, opened: undefined } : { ...shared };
  shared.isTaken ||= shared.opened !== undefined || shared.body.isRepeatable !== true;
  return heir;
}

/** Somebody's own answer may have members besides, and a head or a body that cannot be changed, or that only it can read. */
function copyHandMade(answer: UpstreamResponse): UpstreamResponse {
  return Object.create(answer, { ...ownHead(answer), body: { ...open, value: answer.body } }) as UpstreamResponse;
}

const open = { writable: true, enumerable: true, configurable: true };

/** What stands upon another answer may have a head that cannot be changed. */
function ownHead({ status, statusText, headers }: UpstreamResponse): PropertyDescriptorMap {
  return {
    status: { ...open, value: status },
    statusText: { ...open, value: statusText },
    headers: { ...open, value: headers },
  };
}

/** Makes the answer that handlers and responders see; its body becomes a stream only when somebody reads it. */
export function createUpstreamResponse(
  { status, statusText, headers }: AnswerHead,
  { body, declared, trailers }: BodySource,
): WritableResponse {
  const answer = Object.create(answerPrototype) as Answer;
  answer.status = status;
  answer.statusText = statusText;
  answer.headers = headers;
  holdNothing(answer);
  answer[state] = {
    body,
    opened: undefined,
    length: lengthOf(declared),
    declared,
    isAssigned: false,
    isTaken: false,
    trailers,
  };
  return answer;
}

/** The length of an upstream's body: of some answers there is none, whatever their head says. */
export function lengthOf({ length, status, isHead }: Declared): number | undefined {
  return isHead || status === 204 || status === 304 || status < 200 ? 0 : length;
}

function toBody(assigned: Readable | Buffer | string | null): Pick<BodyState, "body" | "length"> {
  if (assigned !== null && typeof assigned !== "string" && !Buffer.isBuffer(assigned) && !isStream(assigned))
    throw refuseBody(assigned);
  if (isStream(assigned)) return { body: createStreamBody(assigned), length: undefined };
  const bytes = Buffer.isBuffer(assigned) ? assigned : Buffer.from(assigned ?? "");
  return { body: createRepeatedBody(bytes, { mayChange: bytes === assigned }), length: bytes.length };
}

const none = (): [] => [];
const unknownLength = { length: undefined, declared: undefined };

/** What {@link createAnswer} takes. */
type AnswerInit = Readonly<{ status: number; headers?: GivenHeaders; body?: Readable | Buffer | string | null }>;

/** Makes an answer without an upstream, for a delegating handler that answers by itself. */
export function createAnswer({ status, headers = {}, body = null }: AnswerInit): UpstreamResponse {
  const own = emptyHeaders();
  const given = givenHeaders(headers);
  // Those that it inherits are sent wherever else headers are given.
  for (const name in given) own[name.toLowerCase()] = ownValue(given[name]!);
  const head = { status, statusText: STATUS_CODES[status] ?? "", headers: {} };
  const declared = { length: undefined, status, isHead: false };
  const answer = createUpstreamResponse(head, { body: createWholeBody(Buffer.alloc(0)), declared, trailers: none });
  answer.body = body;
  answer.headers = own;
  return answer;
}
