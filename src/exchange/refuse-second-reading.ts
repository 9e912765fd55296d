import type { IncomingMessage } from "node:http";
import { GatewayError } from "../errors.ts";
import { longestQuestion } from "../identity/unknown-in-time.ts";
import { type Attached, after, listen, rightAfter } from "../unattended/guarded.ts";
import { putBack } from "./expose-match.ts";

/** `passed` tells that the code which is watched has passed the request on: its listeners only look on. */
export type SecondReading = Readonly<{ passed: () => void; end: () => void }>;

/** So long code may wait for a body that does not come; a scheme is told why before its own time is over. */
const longestWait = longestQuestion - 1_000;

/**
 * Watches code that is given a request which another part has read to its end: Node tells listeners that come later nothing.
 * Where there was no body, they hear of its end, as they would on a request of the part's own. Where there was one, code that
 * reads it again would wait for ever, or find it empty: it is refused.
 */
export function watchSecondReading(req: IncomingMessage, refuse: (reason: GatewayError) => void): SecondReading {
  if (!req.readableEnded) return { passed: ignore, end: ignore };
  return req.readableDidRead ? refuseReaders(req, refuse) : tellOfEnd(req);
}

function tellOfEnd(req: IncomingMessage): SecondReading {
  const attached = listen(req, "newListener", (event: string, listener: Attached) => {
    if (event === "end") rightAfter(() => Reflect.apply(listener, req, []), req);
  });
  return { passed: ignore, end: () => void req.off("newListener", attached) };
}

function refuseReaders(req: IncomingMessage, refuse: (reason: GatewayError) => void): SecondReading {
  const own = { pipe: Object.getOwnPropertyDescriptor(req, "pipe")?.value as unknown };
  const pipe = req.pipe.bind(req);
  let waiting: NodeJS.Timeout | undefined;
  const attached = listen(req, "newListener", (event: string) => {
    // Loops listen for it, too, and find an empty body at once.
    if (event === "readable") refuse(readAgain());
    // Those that only count what comes do not wait for it.
    else if (event === "data" || event === "end") waiting ??= after(longestWait, () => refuse(readAgain()), req);
  });
  req.pipe = function pipeNothing(destination, options) {
    refuse(readAgain());
    return pipe(destination, options);
  };
  return { passed, end };

  function passed(): void {
    clearTimeout(waiting);
    waiting = undefined;
  }

  function end(): void {
    passed();
    req.off("newListener", attached);
    putBack(req, own);
  }
}

function ignore(): void {
  // Nothing is watched.
}

function readAgain(): GatewayError {
  return new GatewayError(
    "handler-misuse",
    "Middleware or a scheme reads the body of the request again, which has been read already, as for another part of the " +
      "aggregate. Let middleware begin with: if (req.readableEnded) return next(); What a scheme needs of a body, read before " +
      "the gateway: app.use(…), and keep it in req.rawBody.",
  );
}
