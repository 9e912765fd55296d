import { AsyncResource } from "node:async_hooks";

type Call = <Values extends unknown[], Result>(call: (...values: Values) => Result, ...values: Values) => Result;

/**
 * Remembers for whom the present code runs (the app may keep a user, a tenant or a trace in an `AsyncLocalStorage`), and makes
 * the function that calls others for the same. What several clients share, such as a kept connection, a timer or a line, calls
 * back for whoever was there first.
 */
export function inPresentContext(): Call {
  // `AsyncLocalStorage.snapshot()` is the same, and takes a hundred times as long.
  const present = new AsyncResource("waymark");
  return (call, ...values) => present.runInAsyncScope(call, undefined, ...values);
}
