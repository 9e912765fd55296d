import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { readFraming } from "../bodies/request-framing.ts";
import { findPassingReason, type PassingReason } from "../capabilities/caching/bypass-reason.ts";
import { areCovered, findCredentials } from "../capabilities/caching/shown-credentials.ts";
import { type CacheSettings, effectiveCache } from "../capabilities/caching/effective-cache.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import type { OutgoingRequest } from "../delegating-handler.ts";
import type { MatchedExchange } from "../exchange/matched-exchange.ts";
import { requirementOf } from "../identity/required-schemes.ts";
import type { ExplainedCache, ExplainedForward } from "./explanation.ts";

type Given = Readonly<{ req: IncomingMessage; given: IncomingHttpHeaders; query: string | undefined }>;

/** Tells whether the answer may come from the cache, and by what answers are told apart; undefined where nothing is cached. */
export function explainCache(
  { config, global }: Readonly<{ config: RouteConfig; global: GlobalConfig }>,
  forwarded: ExplainedForward,
  { req, given, query }: Given,
): ExplainedCache | undefined {
  const settings = effectiveCache(config, global);
  if (settings === undefined) return undefined;
  const framing = readFraming(req);
  const isLocked = requirementOf(config, global) !== undefined;
  const exchange = {
    ...{ context: { req, res: {}, route: { config } }, framing, given, matched: { query } },
    upgrade: forwarded.headers.upgrade === "websocket" ? {} : undefined,
    // Who it is, is not known here; that it is somebody, is.
    identity: isLocked ? { scheme: "", id: "", claims: {} } : undefined,
  } as unknown as MatchedExchange;
  const outgoing = { method: forwarded.method, headers: forwarded.headers, body: null } as unknown as OutgoingRequest;
  const passing = findPassingReason(outgoing, exchange, settings);
  const reason = passing === undefined ? findShown(settings, exchange) : reasonOf(passing);
  return { isUsed: reason === undefined, reason, toldApartBy: toldApartBy(settings, req.method === "POST") };
}

/** Why an answer is for this client alone. */
function findShown({ byIdentity, header }: CacheSettings, exchange: MatchedExchange): string | undefined {
  if (byIdentity) return exchange.identity === undefined ? "no scheme says who is asking" : undefined;
  const credentials = findCredentials(exchange, false);
  if (credentials === undefined || areCovered(credentials, [header], exchange)) return undefined;
  const shown = credentials.headers.length === 0 ? "its identity" : credentials.headers.join(", ");
  return `${shown} tells who is asking, and answers are not told apart by that, unless Vary of the answer names it`;
}

const words: Readonly<Record<string, string>> = {
  upgrade: "it opens a WebSocket",
  "method-override": "a header of it asks for another method",
  partial: "it asks for a part, or names a state",
  body: "it has a body",
};

function reasonOf({ fwd, detail = "" }: PassingReason): string {
  return fwd === "method" ? "its method is not cached" : (words[detail] ?? detail);
}

function toldApartBy({ header, byIdentity }: CacheSettings, isPost: boolean): readonly string[] {
  return [
    "the client's method and the one that is sent",
    "the finished path and query",
    "X-Forwarded-Host, -Proto and -Prefix",
    "headers that claims or transforms name, or middleware changes",
    `the header ${header}`,
    ...(byIdentity ? ["who is asking, and all credentials"] : []),
    ...(isPost ? ["the body, its type and its coding"] : []),
    "whatever Vary of the answer names",
  ];
}
