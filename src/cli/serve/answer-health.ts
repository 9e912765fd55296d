import type { IncomingMessage, ServerResponse } from "node:http";
import { pathOf } from "../../urls/path-and-query.ts";
import type { HealthPaths } from "./settings.ts";

/** Answers a request if it is a health check, and says whether it was one. */
export type AnswerHealth = (req: IncomingMessage, res: ServerResponse) => boolean;

type Finding = Readonly<{ status: number; word: string }>;

const alive: Finding = { status: 200, word: "alive" };
const ready: Finding = { status: 200, word: "ready" };
const closing: Finding = { status: 503, word: "closing" };

/** Makes the function that answers health checks; without paths there are none. */
export function createAnswerHealth(paths: HealthPaths | undefined, isReady: () => boolean): AnswerHealth {
  if (paths === undefined) return () => false;
  const findings = new Map<string, () => Finding>([
    [paths.liveness, () => alive],
    [paths.readiness, () => (isReady() ? ready : closing)],
  ]);

  return function answerHealth(req, res) {
    const isAsked = req.method === "GET" || req.method === "HEAD";
    const finding = isAsked ? findings.get(pathOf(req.url ?? ""))?.() : undefined;
    if (finding === undefined) return false;
    const body = JSON.stringify({ status: finding.word });
    res.writeHead(finding.status, {
      "content-type": "application/json; charset=utf-8",
      "content-length": body.length,
      "cache-control": "no-store",
    });
    res.end(body);
    return true;
  };
}
