import { cleanIncomingHeaders } from "../headers/clean-incoming-headers.ts";
import type { Exchange } from "./exchange.ts";
import { restoreHeaders, takeBackHeaders } from "./restore-headers.ts";

/** Takes back what the match has done to a request and its response, so that what is mounted behind finds both as they came. */
export function leaveGateway(exchange: Exchange): void {
  const { compiled, context, given, peerIsTrusted, foundDistinct, announced, restore } = exchange;
  const { req, res } = context;
  exchange.observation?.left();
  restore();
  const { headers: cleaned } = cleanIncomingHeaders(
    { headers: given, rawHeaders: req.rawHeaders },
    { peerIsTrusted, compared: compiled.compared },
  );
  for (const name of exchange.withheld ?? []) Reflect.deleteProperty(cleaned, name);
  noteRequestId(exchange, cleaned);
  restoreHeaders(req, { given, cleaned });
  if (foundDistinct !== undefined) req.headersDistinct = foundDistinct;
  if (announced !== undefined) takeBackHeaders(res, announced);
}

function noteRequestId(
  { compiled: { requestIdKey }, context: { res, requestId }, earlierId }: Exchange,
  cleaned: Exchange["given"],
): void {
  if (requestIdKey === undefined) return;
  cleaned[requestIdKey.toLowerCase()] = requestId;
  takeBackHeaders(res, { before: { [requestIdKey]: earlierId }, after: { [requestIdKey]: requestId } });
}
