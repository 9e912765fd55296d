import { Socket } from "node:net";
import { Duplex, type Readable } from "node:stream";
import { ignoreErrors } from "../../unattended/guarded.ts";

/*
 * When what feeds a composed stream has come to its end, Node listens no more to the last stream that it is composed of, such
 * as one of `node:zlib`, and still destroys it with an error. Nobody else need have that stream: it shows as it is destroyed.
 */

/** What `compose()` and `Duplex.from()` give is a plain stream with an end of its own. */
export function isComposed(stream: Readable): stream is Duplex {
  return stream instanceof Duplex && Object.hasOwn(stream, "_destroy");
}

const hearing = new WeakSet<Duplex>();

/** Lets all that is destroyed with a composed stream fail without ending the process, whoever destroys that. */
export function hearPartsOfComposed(composed: Duplex): void {
  if (hearing.has(composed)) return;
  hearing.add(composed);
  const { _destroy: destroy } = composed as { _destroy: (this: Duplex, ...given: DestroyParts) => void };
  composed._destroy = function destroyHeard(...given) {
    whileHeard(() => Reflect.apply(destroy, this, given));
  };
}

type DestroyParts = Parameters<Duplex["_destroy"]>;

/** Node's own, which all streams share that may be the last of a composition. */
const shared: { destroy: (this: Duplex, ...given: [error?: Error]) => Duplex } = Duplex.prototype;

/** Lets whatever is destroyed meanwhile fail, and what is destroyed at its end, as compositions are of which it is composed. */
function whileHeard<Result>(run: () => Result): Result {
  const { destroy } = shared;
  shared.destroy = function destroyHeard(...given) {
    if (!this.destroyed && !heard.has(this) && !(this instanceof Socket)) hear(this);
    return Reflect.apply(destroy, this, given);
  };
  try {
    return run();
  } finally {
    shared.destroy = destroy;
  }
}

const heard = new WeakSet<Duplex>();

function hear(stream: Duplex): void {
  heard.add(stream);
  ignoreErrors(stream);
  const { emit } = stream as { emit: (this: Duplex, ...given: unknown[]) => boolean };
  Reflect.set(stream, "emit", (...given: unknown[]) => whileHeard(() => Reflect.apply(emit, stream, given)));
}
