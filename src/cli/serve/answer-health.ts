import type { IncomingMessage, ServerResponse } from "node:http";
import { endResponse } from "../../bodies/responses/end-response.ts";
import type { GatewayStatus } from "../../compiling/live.ts";
import { readRequestTarget } from "../../urls/request-target.ts";
import type { HealthPaths } from "./settings.ts";

/** Answers a request if it is a health check, and says whether it was one. */
type AnswerHealth = (req: IncomingMessage, res: ServerResponse) => boolean;

type Word = "alive" | GatewayStatus;

const statuses: Readonly<Record<Word, number>> = { alive: 200, ready: 200, starting: 503, closing: 503 };

/** Makes the function that answers health checks; without paths there are none. */
export function createAnswerHealth(paths: HealthPaths | undefined, readiness: () => GatewayStatus): AnswerHealth {
  if (paths === undefined) return () => false;
  const findings = new Map<string, () => Word>([
    [paths.liveness, () => "alive"],
    [paths.readiness, readiness],
  ]);

  return function answerHealth(req, res) {
    const isAsked = req.method === "GET" || req.method === "HEAD";
    const word = isAsked ? findings.get(readRequestTarget(req.url ?? "")?.path ?? "")?.() : undefined;
    if (word === undefined) return false;
    const body = Buffer.from(JSON.stringify({ status: word }));
    res.writeHead(statuses[word], {
      "content-type": "application/json; charset=utf-8",
      "content-length": body.length,
      "cache-control": "no-store",
    });
    endResponse(res, body);
    return true;
  };
}
