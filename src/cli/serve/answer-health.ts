import type { IncomingMessage, ServerResponse } from "node:http";
import type { HealthPaths } from "./settings.ts";

/** Answers a request if it is a health check, and says whether it was one. */
export type AnswerHealth = (req: IncomingMessage, res: ServerResponse) => boolean;

/** Makes the function that answers health checks; without paths there are none. */
export function createAnswerHealth(paths: HealthPaths | undefined, isReady: () => boolean): AnswerHealth {
  if (paths === undefined) return () => false;
  const statusOf = new Map<string, () => string>([
    [paths.liveness, () => "alive"],
    [paths.readiness, () => (isReady() ? "ready" : "closing")],
  ]);

  return function answerHealth(req, res) {
    const isAsked = req.method === "GET" || req.method === "HEAD";
    const status = isAsked ? statusOf.get((req.url ?? "").split("?", 1)[0]!)?.() : undefined;
    if (status === undefined) return false;
    const body = JSON.stringify({ status });
    res.writeHead(status === "closing" ? 503 : 200, {
      "content-type": "application/json; charset=utf-8",
      "content-length": body.length,
      "cache-control": "no-store",
    });
    res.end(body);
    return true;
  };
}
