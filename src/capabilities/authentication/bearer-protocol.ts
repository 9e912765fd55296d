import type { Headers, UpstreamResponse } from "../../delegating-handler.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";

/** The protocols that a client offers for a WebSocket, and the tokens among them: each behind the word `bearer`. */
type BearerProtocol = Readonly<{ tokens: readonly string[]; others: readonly string[] }>;

/** The word before a token, and what a client is answered whose upstream has chosen no protocol. */
export const bearerWord = "bearer";

/** Reads `Sec-WebSocket-Protocol: bearer, <token>`; browsers can send a token with a WebSocket in no other header. */
export function readBearerProtocol(offered: string | string[] | undefined): BearerProtocol {
  const words = String(offered ?? "").split(",");
  const tokens: string[] = [];
  const others: string[] = [];
  let isBehindBearer = false;
  for (const word of words.map((one) => one.trim())) {
    if (isBehindBearer) tokens.push(word);
    else if (word !== "" && word.toLowerCase() !== bearerWord) others.push(word);
    isBehindBearer = !isBehindBearer && word.toLowerCase() === bearerWord;
  }
  return { tokens, others };
}

/** The header in which protocols are offered, and one is chosen. */
export const protocolHeader = "sec-websocket-protocol";

/** Takes the tokens out of the protocols that are offered to an upstream. */
export function dropProtocol(headers: Headers): void {
  const { others } = readBearerProtocol(headers[protocolHeader]);
  if (others.length === 0) Reflect.deleteProperty(headers, protocolHeader);
  else headers[protocolHeader] = others.join(", ");
}

/** Browsers fail a WebSocket for which they offered protocols, and were answered none of them. */
export function answerBearer({ status, headers }: UpstreamResponse, { upgrade, context }: MatchedExchange): void {
  if (upgrade === undefined || status !== 101 || headers[protocolHeader] !== undefined) return;
  const { tokens } = readBearerProtocol(context.req.headers[protocolHeader]);
  if (tokens.length > 0) headers[protocolHeader] = bearerWord;
}
