import type { DelegatingHandler } from "../../src/index.ts";
import type { Traces } from "../traces.ts";

const secretHeaders: ReadonlySet<string> = new Set(["authorization", "cookie"]);

/** Notes for the start page what is sent upstream; last in the list of handlers, so that it sees what the others made of it. */
export function createNoteSent(traces: Traces): DelegatingHandler {
  return function noteSent({ method, origin, path, headers }, next, { requestId, route }) {
    const shown = Object.entries(headers).filter(([name]) => !secretHeaders.has(name));
    const texts = Object.fromEntries(shown.map(([name, value]) => [name, String(value)]));
    traces.noteSent(requestId, route.id, { method, url: `${origin}${path}`, headers: texts });
    return next();
  };
}
