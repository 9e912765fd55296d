import type { IncomingMessage } from "node:http";
import { readRequestTarget, type RequestTarget } from "../urls/request-target.ts";
import type { RouteIndex, RouteMatch } from "./index/route-index.ts";

/** The route of a request, and the target it was found by. */
export type MatchedRequest<R> = Readonly<{ match: RouteMatch<R>; target: RequestTarget }>;

/** Finds the route of a request below the mount point; an unmatched request is neither judged nor changed. */
export function matchRequest<R>(index: RouteIndex<R>, req: IncomingMessage): MatchedRequest<R> | undefined {
  const target = readRequestTarget(req.url ?? "");
  if (target === undefined) return undefined;
  const { headers, method = "" } = req;
  const match = index.find({ method, path: target.path, query: target.query, host: headers.host, headers });
  return match === undefined ? undefined : { match, target };
}
