import type { Headers, UpstreamResponse } from "../../delegating-handler.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { isPlainlyAmong } from "../../headers/header-aliases.ts";
import { type NotesOfShortened, shorten } from "../../headers/shortened-headers.ts";

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
    // RFC 9110 lets lists hold elements that are empty, and mean nothing.
    if (word === "") continue;
    const isBearer = word.toLowerCase() === bearerWord;
    if (isBehindBearer) tokens.push(word);
    else if (!isBearer) others.push(word);
    isBehindBearer = isBearer;
  }
  return { tokens, others };
}

/** The header in which protocols are offered, and one is chosen. */
export const protocolHeader = "sec-websocket-protocol";

const protocolHeaders: ReadonlySet<string> = new Set([protocolHeader]);

/** Takes the tokens out of the protocols that are offered to an upstream, however it has the name of their header spelt. */
export function dropProtocols(headers: Headers, request: NotesOfShortened): void {
  for (const name in headers) {
    if (!isPlainlyAmong(name, protocolHeaders)) continue;
    const { others } = readBearerProtocol(headers[name]);
    if (others.length === 0) Reflect.deleteProperty(headers, name);
    else shorten(headers, name, others.join(", "), request);
  }
}

/** Browsers fail a WebSocket for which they offered protocols, and were answered none of them. */
export function answerBearer({ status, headers }: UpstreamResponse, { upgrade, context }: MatchedExchange): void {
  if (upgrade === undefined || status !== 101 || headers[protocolHeader] !== undefined) return;
  const { tokens } = readBearerProtocol(context.req.headers[protocolHeader]);
  if (tokens.length > 0) headers[protocolHeader] = bearerWord;
}
