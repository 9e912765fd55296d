import type { IncomingMessage, ServerResponse } from "node:http";
import type { PeerTrust } from "../addresses/trusted-peers.ts";
import { answerOrPassOn, type Next } from "../answers/answer-error.ts";
import { noteOfBody } from "../answers/answer-framing.ts";
import { takeInFewPieces } from "../bodies/pieces/take-in-few-pieces.ts";
import { type Framing, readFraming } from "../bodies/request-framing.ts";
import { createCancellation } from "../cancellation.ts";
import { assignRequestId } from "../capabilities/request-ids/assign-request-id.ts";
import { findUpgrade } from "../capabilities/websockets/upgrade-request.ts";
import type { CompiledRoute } from "../compiling/compiled-route.ts";
import { emptyRecord } from "../empty-record.ts";
import { wantsTrailers } from "../headers/answer-trailers.ts";
import { cleanIncomingHeaders } from "../headers/clean-incoming-headers.ts";
import type { Logger } from "../logging/logger.ts";
import type { MatchedRequest } from "../routing/match-request.ts";
import { toError } from "./fail-exchange.ts";
import type { Exchange } from "./exchange.ts";
import { createContext } from "./gateway-context.ts";
import type { HoldPlace } from "./calls-without-client.ts";
import { heedLateWrites } from "./log-late-writes.ts";
import { exposeMatch } from "./expose-match.ts";
import { mountPathOf } from "./mount-path.ts";
import { trimDistinct } from "./restore-headers.ts";

/** What all exchanges of a gateway have in common. */
type ExchangeSurroundings = Readonly<{
  peers: PeerTrust;
  /** Whether other code sees responses before the gateway has written answers. */
  seesResponses: boolean;
  holdPlace: HoldPlace;
  logger: Logger;
}>;

/** Begins the exchange of a matched request; undefined where that failed and has been dealt with. */
export type Begin = (
  found: MatchedRequest<CompiledRoute>,
  req: IncomingMessage,
  res: ServerResponse,
  next: Next,
) => Exchange | undefined;

/**
 * Makes the function that begins exchanges. Earlier middleware may leave the gateway a request that is frozen, or a
 * response that is answered already, and on a plain server no code above would catch the error.
 */
export function createBegin(surroundings: ExchangeSurroundings): Begin {
  const { logger } = surroundings;
  return function begin(found, req, res, next) {
    try {
      return beginExchange(found, req, res, surroundings);
    } catch (error) {
      logger.error({ route: found.match.value.route.id, err: error }, "A request could not begin.");
      answerOrPassOn(toError(error), req, res, next);
      return undefined;
    }
  };
}

/** Sets what middleware sees of a match, and removes from the request what is not the client's to say. */
function beginExchange(
  { match: { value: compiled, placeholders, path }, target }: MatchedRequest<CompiledRoute>,
  req: IncomingMessage,
  res: ServerResponse,
  { peers, seesResponses, holdPlace, logger }: ExchangeSurroundings,
): Exchange {
  const { headers: given } = req;
  const framing = beginBody(req);
  const peerIsTrusted = peers.trusts(req, req.socket.remoteAddress, 0);
  const dropped = cleanHeaders(req, { peerIsTrusted, compared: compiled.compared });
  const { earlierId, requestId } = assignId(req, res, compiled.requestIdKey);
  const cancellation = createCancellation(logger);
  heedLateWrites(res, compiled.route.id, logger);
  const upgrade = compiled.upgradeRules === undefined ? undefined : findUpgrade(req);
  return {
    compiled,
    holdPlace,
    upgrade,
    isSeen: seesResponses || upgrade !== undefined,
    framing,
    wantsTrailers: wantsTrailers(given),
    cancellation,
    mountPath: mountPathOf(req),
    mountParams: (req as IncomingMessage & { params?: Exchange["mountParams"] }).params,
    given,
    dropped,
    peers,
    peerIsTrusted,
    uploadLimit: compiled.limits.upload,
    withheld: undefined,
    foundDistinct: trimDistinct(req, dropped),
    earlierId,
    notedBody: noteOfBody(res),
    askedOrigin: undefined,
    hostCookie: undefined,
    isHostOfCode: undefined,
    wasRedirected: false,
    announced: undefined,
    told: undefined,
    guess: undefined,
    identity: undefined,
    parts: undefined,
    matched: { values: keepCaptured(placeholders), path, query: target.query },
    context: createContext({ req, res, route: compiled.route, placeholders, requestId }, cancellation),
    observation: undefined,
    keptHead: undefined,
    hasFailed: false,
    restore: exposeMatch(req, res, { route: compiled.route, placeholders, requestId }),
  };
}

/** Leaves a request the headers that middleware may believe; tells which are gone. */
function cleanHeaders(req: IncomingMessage, rules: Parameters<typeof cleanIncomingHeaders>[1]): Exchange["dropped"] {
  const { headers, dropped } = cleanIncomingHeaders(req, rules);
  req.headers = headers;
  return dropped;
}

/** How the body of a request is framed; one in chunks may come in very many. */
function beginBody(req: IncomingMessage): Framing {
  const framing = readFraming(req);
  if (framing.kind === "chunked" || framing.kind === "coded") takeInFewPieces(req);
  return framing;
}

/** The id of a request whose route has ids, and what the response had in its place before. */
function assignId(
  req: IncomingMessage,
  res: ServerResponse,
  key: string | undefined,
): Pick<Exchange, "earlierId"> & { requestId: string | undefined } {
  if (key === undefined) return { earlierId: undefined, requestId: undefined };
  return { earlierId: res.getHeader(key), requestId: assignRequestId(req, res, key) };
}

/** Middleware may change the placeholders: what the client has sent is kept beside them. */
function keepCaptured(placeholders: Record<string, string>): Exchange["matched"]["values"] {
  const captured = emptyRecord<string>();
  // Spreading an object without prototype takes several times as long.
  for (const name in placeholders) captured[name] = placeholders[name]!;
  return { captured, current: placeholders };
}
