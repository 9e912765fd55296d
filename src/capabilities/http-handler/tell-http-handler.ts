import type { Telling } from "../telling.ts";
import { effectiveHandler } from "./effective-handler.ts";

/** Tells whether redirects of a route's hosts are followed, and what its connections may be. */
export const tellHttpHandler: Telling = {
  name: "http-handler",
  title: "connections",
  keys: ["HttpHandlerOptions"],
  tell(route, global) {
    const { redirects, mostConnections, lifetime } = effectiveHandler(route, global);
    const lines = [
      ...(redirects ? ["redirects on the same origin are followed"] : []),
      ...(mostConnections === undefined ? [] : [`at most ${mostConnections} to each host`]),
      ...(lifetime === undefined ? [] : [`none is used for longer than ${lifetime / 1_000} s`]),
    ];
    return lines.length === 0 ? undefined : [lines.join(", ")];
  },
};
