import { Duplex, type Readable } from "node:stream";
import { ignoreErrors } from "../unattended/guarded.ts";

/** Destroys a stream that user code may have made. */
export function destroyStream(stream: Readable): void {
  if (isComposed(stream)) destroyComposed(stream);
  // Old streams have no such function.
  else (stream as Partial<Readable>).destroy?.();
}

/** What `compose()` and `Duplex.from()` give is a plain stream with an end of its own. */
function isComposed(stream: Readable): boolean {
  return stream instanceof Duplex && Object.hasOwn(stream, "_destroy");
}

/** Node's own, which all streams share that may be the last of a composition. */
const shared: { destroy: (this: Duplex, ...given: [error?: Error]) => Duplex } = Duplex.prototype;

/**
 * When what feeds a composed stream has come to its end, Node listens no more to the last stream that it is composed of, such as
 * one of `node:zlib`, and destroys it with an error all the same. Nobody else need have that stream: it shows as it is destroyed.
 */
function destroyComposed(composed: Readable): void {
  const { destroy } = shared;
  shared.destroy = function destroyUnheard(...given) {
    ignoreErrors(this);
    return Reflect.apply(destroy, this, given);
  };
  try {
    composed.destroy();
  } finally {
    shared.destroy = destroy;
  }
}
