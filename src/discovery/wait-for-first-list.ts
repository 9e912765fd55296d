import { OverloadError } from "../errors.ts";
import { after } from "../unattended/guarded.ts";

/** The time in which requests wait for the first list of a service. */
export type Opening = Readonly<{
  promise: Promise<void>;
  /** There is a list. */
  settle: () => void;
  /** There will be none in time. */
  giveUp: () => void;
}>;

const longestWait = 5_000;

/** Begins to wait for the first list of a service; `ended` is called once nobody waits any more. */
export function createOpening(ended: () => void): Opening {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Nobody may be waiting.
  promise.catch(() => undefined);
  const timer = after(longestWait, giveUp).unref();
  return { promise, settle, giveUp };

  function settle(): void {
    clearTimeout(timer);
    ended();
    resolve();
  }

  function giveUp(): void {
    clearTimeout(timer);
    ended();
    reject(instancesUnknown());
  }
}

/** Refuses a request to a service of which nobody has told where it runs. */
export function instancesUnknown(): OverloadError {
  return new OverloadError("discovery-unavailable", "It is not known at the moment where the upstream runs.", {
    headers: { "retry-after": "5" },
  });
}
