import type { ServerResponse } from "node:http";
import type { Readable, Writable } from "node:stream";
import { listen, listenFirst, listenOnce } from "../../unattended/guarded.ts";
import { isOpenedByCode } from "./bodies-with-code.ts";
import { brokenOff, failureOfStream } from "../broken-off.ts";
import { endsWithSource, type PipedStream, pipesOf, whenReadAnew } from "./pipes-of.ts";
import { failForGateway, isReadUnheard } from "./silence.ts";
import { givenResponse } from "../responses/response-of-part.ts";
import { failureOf, isGiven } from "./stream-of-user-code.ts";

/*
 * `pipe()` hands no failure on: a stream that user code has made of a body by it would never end once that body breaks off,
 * and the client would wait for ever.
 */

/** Streams of an exchange that may be piped into one which is still to be given: most are not, and listened to in vain. */
const unwatched = new WeakMap<ServerResponse, Readable[]>();
/** Exchanges for which user code has given streams. */
const giving = new WeakSet<ServerResponse>();
/** What ends an exchange whose answer is written by user code. */
const failing = new WeakMap<object, (error: Error) => void>();
const watched = new WeakSet<Readable>();

/** Lets what user code gives of a body that code has asked for as a stream break off with that body. */
export function breakPipesWithOpened(body: Readable, shown: ServerResponse | undefined): void {
  const res = shown && givenResponse(shown);
  if (res === undefined || giving.has(res)) return breakPipesWith(body);
  const others = unwatched.get(res);
  if (others === undefined) unwatched.set(res, [body]);
  else if (!others.includes(body)) others.push(body);
}

/** Lets a stream that user code has given for an exchange break off with a body that is piped into it. */
export function breakPipesWithGiven(stream: Readable, shown: ServerResponse): void {
  const res = givenResponse(shown);
  const isFirst = !giving.has(res);
  watchFromNowOn(res);
  // There is nothing yet that the first could be piped into.
  if (isFirst) unwatched.set(res, [stream]);
  else breakPipesWith(stream);
}

/**
 * Lets an exchange fail with a body that user code has piped into the client's response itself, or with what it has made of a
 * body in another way than by `pipe()`, and that nobody else listens to.
 */
export function failWithPipes(res: ServerResponse, fail: (error: Error) => void): void {
  failing.set(res, fail);
  watchFromNowOn(res);
  listen(res, "pipe", failWithSource);
}

/** Streams that were piped into responses, of which several may have the same. */
const sources = new WeakSet<Readable>();

/** Before code that has a listener of its own takes that off: such code deals with the error by itself. */
function failWithSource(source: Readable): void {
  if (sources.has(source)) return;
  sources.add(source);
  // It stays once the response is closed: the stream may fail for that very reason.
  listenFirst(source, "error", (error: Error) => {
    if (source.listenerCount("error") > 1) return;
    for (const stream of [...pipesOf(source)]) failing.get(givenResponse(stream))?.(error);
  });
}

function watchFromNowOn(res: ServerResponse): void {
  giving.add(res);
  for (const body of unwatched.get(res) ?? []) breakPipesWith(body);
  unwatched.delete(res);
}

/**
 * Code that goes on without the rest of a body takes its stream off it, or ends that, before the body is closed: its
 * listeners for errors are called before.
 */
function breakPipesWith(body: Readable): void {
  if (watched.has(body)) return;
  watched.add(body);
  const toFailure = isGiven(body) ? failureOfStream(body) : brokenOff;
  if (body.closed) breakOff();
  else listenOnce(body, "close", breakOff);

  function breakOff(): void {
    if (body.readableEnded) return;
    breakPipes();
    // It may still be piped somewhere.
    whenReadAnew(body, breakPipes);
  }

  function breakPipes(): void {
    breakGiven(body, () => toFailure(failureOf(body) ?? null));
  }
}

/** Streams that have an end of their own. */
const spared = new WeakSet<PipedStream>();

/** Lets a stream not break off with what is piped into it: a loop of code that reads it would fail, perhaps with nobody to hear it. */
export function spareFromBreaking(stream: Readable): void {
  spared.add(stream);
}

/** Lets what user code has given for any exchange, and what a body is piped into, break off with that body, which tells nobody. */
export function breakPipesOf(body: Readable): void {
  breakGiven(body, () => brokenOff(null));
}

function breakGivenOff(given: Readable, failure: Error): void {
  // Code that has got it as the body of an answer hears of its failure, as it would of a service's.
  if (isReadUnheard(given) && !isOpenedByCode(given)) failForGateway(given, failure);
  else given.destroy(failure);
}

function breakGiven(source: PipedStream, failure: () => Error): void {
  for (const stream of [...pipesOf(source)]) {
    // What has been ended goes on to give what it has.
    if ((stream as Partial<Writable>).writableEnded === true) continue;
    const isOfCode = isGiven(stream);
    if (isOfCode && !spared.has(stream)) breakGivenOff(stream as Readable, failure());
    const fail = failing.get(givenResponse(stream));
    if (fail !== undefined) {
      (source as Readable).unpipe(stream as Writable);
      fail(failure());
    }
    // What stays open for others feeds what is theirs.
    if (isOfCode || endsWithSource(source, stream)) breakGiven(stream, failure);
  }
}
