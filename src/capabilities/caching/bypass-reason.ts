import { isForHead } from "../../answers/answer-framing.ts";
import type { Headers, OutgoingRequest } from "../../delegating-handler.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { isOddlySpelt, plainName } from "../../headers/header-aliases.ts";
import { comparingHeaders, partialHeaders } from "../../headers/precondition-names.ts";
import { methodHeaders } from "../../headers/headers-services-go-by.ts";
import type { CacheSettings } from "./effective-cache.ts";

/** Why a request passes the cache by, in the words of RFC 9211. */
export type PassingReason = Readonly<{ fwd: "bypass" | "method" | "request"; detail?: string }>;

const safe: ReadonlySet<string> = new Set(["GET", "HEAD"]);
const safeAndPost: ReadonlySet<string> = new Set(["GET", "HEAD", "POST"]);

/** Why a request passes the cache by whatever else is true of it; undefined where it need not. */
export function findPassingReason(
  outgoing: OutgoingRequest,
  { context: { req, res }, upgrade, framing, refuseOtherMethod }: MatchedExchange,
  { hashesContent }: CacheSettings,
): PassingReason | undefined {
  const { method, headers, body } = outgoing;
  const methods = hashesContent ? safeAndPost : safe;
  const asked = req.method ?? "";
  // What is kept was not for a preflight, whatever middleware has made of it.
  if (
    refuseOtherMethod !== undefined ||
    !methods.has(method) ||
    !methods.has(asked) ||
    isForHead(res, req) !== (asked === "HEAD")
  )
    return byMethod;
  if (upgrade !== undefined) return upgraded;
  const byHeader = reasonByHeader(headers, method) ?? reasonByCondition(method, headers);
  if (byHeader !== undefined) return byHeader;
  const hasBody = body !== null || (framing.kind !== "none" && !(framing.kind === "length" && framing.length === 0));
  if (hasBody && (safe.has(method) || safe.has(asked))) return withBody;
  return undefined;
}

function reasonByHeader(headers: Headers, method: string): PassingReason | undefined {
  let reason: PassingReason | undefined;
  for (const name in headers) {
    const found = reasons.get(isOddlySpelt(name) ? plainName(name) : name);
    if (found === undefined || headers[name] === undefined) continue;
    if (found !== overridden) reason = found;
    // Proxies tell the very method that they were asked with.
    else if (String(headers[name]).trim().toUpperCase() !== method) return overridden;
  }
  return reason;
}

/** Of a request that may change something, only the service can say whether its condition holds. */
function reasonByCondition(method: string, headers: Headers): PassingReason | undefined {
  return safe.has(method) || comparingHeaders.every((name) => headers[name] === undefined) ? undefined : conditional;
}

const byMethod: PassingReason = { fwd: "method" };
const upgraded: PassingReason = { fwd: "bypass", detail: "upgrade" };
const overridden: PassingReason = { fwd: "bypass", detail: "method-override" };
const inPart: PassingReason = { fwd: "bypass", detail: "partial" };
const conditional: PassingReason = { fwd: "bypass", detail: "condition" };
const withBody: PassingReason = { fwd: "bypass", detail: "body" };

const reasons: ReadonlyMap<string, PassingReason> = new Map([
  ...[...methodHeaders].map((name) => [name, overridden] as const),
  // An answer to these is for this client alone, and a request that names states is for the service to judge.
  ...[...partialHeaders, "content-range"].map((name) => [name, inPart] as const),
]);

/** A body is too long to tell answers apart. */
export const longBody: PassingReason = { fwd: "bypass", detail: "body-length" };
