import { type Duplex, Readable } from "node:stream";
import { listen } from "../../unattended/guarded.ts";
import { failureOfStream } from "../broken-off.ts";
import { hearPartsOfComposed, isComposed } from "./hear-parts-of-composed.ts";
import { isStream } from "./is-stream.ts";
import { endsWithSource, pipesOf, whenReadAnew } from "./pipes-of.ts";

/*
 * What code makes of a body by a function of that (`body.map(…)`) is known here: it fails with the body, and is to end no
 * process where nobody listens to that, such as where it is piped into a file.
 */

/** Those functions, as far as Node has them: not all of its versions have all. */
const operators = ["map", "filter", "flatMap", "take", "drop", "asIndexedPairs", "compose"] as const;

type Hear = (made: Readable) => void;
type Make = (this: Readable, ...given: unknown[]) => Readable;

const madeOf = new WeakMap<Readable, Readable[]>();

/**
 * Hands whatever a stream's functions make of it to somebody who listens to its failures, and what functions make of that, or
 * of what it is piped into.
 */
export function hearMadeByOperators(stream: Readable, hear: Hear): void {
  if (madeOf.has(stream)) return;
  // Code may make something of what a body is piped into at once.
  listen(stream, "newListener", (event: string) => {
    if (event === "data") hearMadeOfTakers();
  });
  whenReadAnew(stream, hearMadeOfTakers);
  const made: Readable[] = [];
  madeOf.set(stream, made);
  for (const name of operators) {
    const make = Reflect.get(Readable.prototype, name) as Make | undefined;
    // Streams of other libraries have functions of their own.
    if (make === undefined || Reflect.get(stream, name) !== make) continue;
    Reflect.set(stream, name, (...given: unknown[]) => {
      const one = Reflect.apply(make, name === "compose" ? fitForComposing(stream) : stream, given);
      made.push(one);
      if (isComposed(one)) hearParts(one, given[0]);
      hearMadeByOperators(one, hear);
      hear(one);
      return one;
    });
  }

  function hearMadeOfTakers(): void {
    for (const taker of pipesOf(stream)) {
      // What stays open for others is theirs.
      if (taker instanceof Readable && endsWithSource(stream, taker)) hearMadeByOperators(taker, hear);
    }
  }
}

/** What a stream is composed with may fail when Node listens to it no more, as one of `node:zlib` whose input ends too early. */
function hearParts(composed: Duplex, part: unknown): void {
  hearPartsOfComposed(composed);
  if (isStream(part)) listen(part, "error", (error: Error) => composed.destroy(error));
}

/** With a stream that has failed Node composes nothing, and throws. */
function fitForComposing(stream: Readable): Readable {
  if (!stream.destroyed || stream.readableEnded) return stream;
  return new Readable({
    read() {
      this.destroy(failureOfStream(stream)(stream.errored));
    },
  });
}

/** What functions of a stream have made of it. */
export function madeByOperators(stream: object): readonly Readable[] {
  return madeOf.get(stream as Readable) ?? [];
}

/** Whether nobody but functions of a stream has made something of it that would fail with it. */
export function isUsedByOperatorsAlone(stream: Readable): boolean {
  const loops = madeByOperators(stream).filter((one) => isReading(one) && !isComposed(one));
  return stream.listenerCount("finish") <= loops.length && loops.every(isUsedByOperatorsAlone);
}

/** Whether a stream that reads another one when it is read has begun with that. */
function isReading(one: Readable): boolean {
  return !one.destroyed && (one.readableFlowing !== null || one.listenerCount("readable") > 0);
}
