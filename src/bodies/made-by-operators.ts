import { type Duplex, Readable } from "node:stream";
import { listen } from "../unattended/guarded.ts";
import { brokenOff } from "./broken-off.ts";
import { hearPartsOfComposed, isComposed } from "./hear-parts-of-composed.ts";
import { isStream } from "./is-stream.ts";
import { pipesOf } from "./pipes-of.ts";

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
  // Node begins to read for a pipe when it has noted it; code may make something of its target at once.
  listen(stream, "newListener", (event: string) => {
    if (event !== "data") return;
    for (const taker of pipesOf(stream)) if (taker instanceof Readable) hearMadeByOperators(taker, hear);
  });
  const made: Readable[] = [];
  madeOf.set(stream, made);
  for (const name of operators) {
    const make = Reflect.get(Readable.prototype, name) as Make | undefined;
    // Streams of other libraries have functions of their own.
    if (make === undefined || Reflect.get(stream, name) !== make) continue;
    Reflect.set(stream, name, (...given: unknown[]) => {
      // Of a stream that has failed before, Node would make nothing, and throw.
      const one = Reflect.apply(make, stream.destroyed ? createBrokenOff() : stream, given);
      made.push(one);
      if (isComposed(one)) hearParts(one, given[0]);
      hearMadeByOperators(one, hear);
      hear(one);
      return one;
    });
  }
}

/** What a stream is composed with may fail when Node listens to it no more, as one of `node:zlib` whose input ends too early. */
function hearParts(composed: Duplex, part: unknown): void {
  hearPartsOfComposed(composed);
  if (isStream(part)) listen(part, "error", (error: Error) => composed.destroy(error));
}

function createBrokenOff(): Readable {
  return new Readable({
    read() {
      this.destroy(brokenOff(null));
    },
  });
}

/** All that functions of a stream have made of it, and those of what they have made. */
export function madeByOperators(stream: Readable): readonly Readable[] {
  return (madeOf.get(stream) ?? []).flatMap((one) => [one, ...madeByOperators(one)]);
}

/** Whether no one but functions of a stream has made something of it that would fail with it. */
export function isUsedByOperatorsAlone(stream: Readable): boolean {
  const loops = (madeOf.get(stream) ?? []).filter((one) => !one.destroyed && !isComposed(one));
  return stream.listenerCount("finish") <= loops.length && loops.every(isUsedByOperatorsAlone);
}
