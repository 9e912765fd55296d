import { hash } from "node:crypto";
import type { Headers, OutgoingRequest } from "../../delegating-handler.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { createIsClients } from "../../headers/set-by-client-or-here.ts";
import { isOddlySpelt } from "../../headers/header-aliases.ts";
import { hopByHopHeaders } from "../../headers/hop-by-hop.ts";
import { isTakenForTarget } from "../../headers/headers-services-go-by.ts";
import { beforeShortened } from "../../headers/shortened-headers.ts";
import { hostOf } from "../../hosts/host-origin.ts";
import { rememberPerText } from "../../remember-per-text.ts";
import type { HeadersSetHere } from "./headers-set-here.ts";

/** Texts that together tell one thing from another. */
export type Parts = readonly string[];

/** Makes one name of several texts: each stands behind its length, so that no text can pass for two. */
export function nameOfParts(parts: Parts): string {
  let text = "";
  for (const part of parts) text += `${part.length}:${part}`;
  return nameOfText(text);
}

const longestRemembered = 1_024;
const mostRemembered = 1_000;

type Named = Readonly<{ parts: Parts; name: string }>;

/** What was asked for last at each path. */
const lastNamed = new Map<string, Named>();

/** The same for what is asked at a path: mostly what was asked there before, and to compare texts is faster than to join them. */
export function nameOfRequest(path: string, parts: Parts): string {
  const last = lastNamed.get(path);
  if (last !== undefined && areSame(last.parts, parts)) return last.name;
  const name = nameOfParts(parts);
  if (!areShortTexts(parts)) return name;
  if (lastNamed.size === mostRemembered) lastNamed.clear();
  lastNamed.set(path, { parts, name });
  return name;
}

/** What a handler in JavaScript gives in the place of a text may be another one each time that it is read. */
function areShortTexts(parts: Parts): boolean {
  let length = 0;
  for (const part of parts) length += typeof part === "string" ? part.length : Infinity;
  return length <= longestRemembered;
}

function areSame(some: Parts, others: Parts): boolean {
  return some.length === others.length && some.every((part, index) => part === others[index]);
}

/** What is asked for most is asked for again and again. */
const nameOfText = rememberPerText((text) => `waymark:cache:${hash("sha256", text, "base64url")}`, longestRemembered);

// What the gateway itself writes: it is another one for each client, or stands in the name of the request already.
const written: ReadonlySet<string> = new Set([
  ...["host", "via", "content-length"],
  ...["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-prefix", "x-real-ip"],
]);

/**
 * Adds what the service sees of a request besides the method, and what was made of it here: the finished target, as what the
 * gateway was addressed, what a trusted proxy says of the client, and every header that was changed on the way, whoever's
 * request it was, or is oddly spelt.
 */
export function addRequestParts(
  parts: string[],
  outgoing: OutgoingRequest,
  exchange: MatchedExchange,
  telling: TellingHeaders,
): void {
  const { path, headers } = outgoing;
  parts.push(
    path,
    textOf(headers["x-forwarded-host"]),
    textOf(headers["x-forwarded-proto"]),
    textOf(headers["x-forwarded-prefix"]),
  );
  const changed = changedHeaders(headers, exchange, telling);
  if (changed !== undefined) parts.push(...changed);
}

/**
 * The origin by which a request is told from others: code has said it, or written into `Host`; among the hosts of a route
 * all answer alike. Code may choose one for somebody that is sent to others by turns.
 */
export function originThatTells(
  { origin, headers }: OutgoingRequest,
  { isHostOfCode }: Pick<MatchedExchange, "isHostOfCode">,
): string | undefined {
  if (origin === "") return undefined;
  return isHostOfCode === true || headers.host !== hostOf(origin) ? origin : undefined;
}

/** What is known of the headers of a route: the request's id is another one for each request. */
export type TellingHeaders = Readonly<{
  idHeader: string | undefined;
  setHere: HeadersSetHere;
}>;

function changedHeaders(
  headers: Headers,
  exchange: MatchedExchange,
  { idHeader, setHere }: TellingHeaders,
): Parts | undefined {
  const { given, dropped, context } = exchange;
  let changed: string[] | undefined;
  // What stands there otherwise than it came was set by middleware before the gateway.
  const isClients = createIsClients({ headers: given, rawHeaders: context.req.rawHeaders });
  for (const name in headers) {
    const says = saying(name);
    const isTold = setHere.isTold(name);
    if (name === idHeader || (says === "nothing" && !isTold)) continue;
    const whole = beforeShortened(headers, name, exchange);
    const isAsGiven = whole === given[name] || textOf(whole) === textOf(given[name]);
    // Any client can have the gateway take something out of a header: that tells nothing of the headers of others.
    if (!isAsGiven || !isClients(name)) setHere.see(name);
    else if (whole === headers[name] && says !== "much" && !isTold && !setHere.isSeen(name)) continue;
    (changed ??= []).push(name);
  }
  for (const name in given) {
    if (headers[name] !== undefined || written.has(name) || hopByHopHeaders.has(name)) continue;
    // What was dropped as the route matched never gets anywhere.
    if (dropped?.includes(name) !== true) (changed ??= []).push(name);
  }
  return changed?.sort().flatMap((name) => [name, ...valueParts(headers[name])]);
}

/**
 * What a header says by its name alone. Another spelling of a header by which answers are told apart may be that header to
 * the service.
 */
const saying = rememberPerText((name): "nothing" | "little" | "much" => {
  if (written.has(name)) return "nothing";
  return isOddlySpelt(name) || isTakenForTarget(name) ? "much" : "little";
});

/** What a request has under some names: that of a credential also as the client sent it, as it may not travel on. */
export function namedParts(
  names: readonly string[],
  headers: Headers,
  credentials: ReadonlyMap<string, string>,
): Parts {
  return names.flatMap((name) => [name, ...valueParts(headers[name]), credentials.get(name) ?? ""]);
}

/** No header, an empty one and several lines are three things. */
function valueParts(value: Headers[string] | undefined): Parts {
  if (value === undefined) return ["0"];
  return Array.isArray(value) ? [String(value.length), ...value] : ["1", value];
}

/** A header as one text, empty where there is none. */
export function textOf(value: string | readonly string[] | undefined): string {
  return value === undefined ? "" : String(value);
}
