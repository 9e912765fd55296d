import type { Headers, OutgoingRequest, UpstreamResponse } from "../../delegating-handler.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import type { Answering } from "../../forwarding/surround.ts";
import { isPlainlyAmong } from "../../headers/header-aliases.ts";
import { methodHeaders, methodParameters } from "../../headers/headers-services-go-by.ts";
import { rememberPerText } from "../../remember-per-text.ts";
import type { AnswerStore } from "../../stores/answer-store.ts";
import { type QueryParameter, splitQuery } from "../../urls/client-query.ts";
import { nameOfParts, textOf } from "./request-key.ts";

/** A request, as far as it tells what was asked for. */
export type Targeted = Readonly<{ outgoing: OutgoingRequest; exchange: MatchedExchange }>;

/** What was done to targets by requests that may change them. */
export type TargetChanges = Readonly<{
  /** The group to which the answers for a target belong: with each change it begins another generation. */
  groupOf: (targeted: Targeted) => string;
  /** Sends a request, and notes what it may have changed before anybody has its answer. */
  sendNoting: (targeted: Targeted, send: () => Answering, isKept?: boolean) => Promise<UpstreamResponse>;
}>;

const prefix = "waymark:cache:changed";

/** Notes changes where answers are kept, for all routes. */
export function createTargetChanges({ outdate }: Pick<AnswerStore, "outdate">): TargetChanges {
  return { groupOf, sendNoting };

  async function sendNoting(targeted: Targeted, send: () => Answering, isKept = false): Promise<UpstreamResponse> {
    if (!mayChange(targeted)) return send();
    // Handlers may change the headers that it is made of.
    const place = placeOf(nameOf(targeted));
    // A POST whose answer may be kept asks, as others like it do: what those got it does not end.
    const groups = isKept && isPost(targeted) ? [place] : [place, postedTo(place)];
    let hasFailed = false;
    try {
      const answer = await send();
      hasFailed = answer.status < lowestSuccess || answer.status > highestSuccess;
      return answer;
    } finally {
      // Of what has no answer nobody knows whether it was done.
      if (!hasFailed) await outdate(groups);
    }
  }
}

function groupOf(targeted: Targeted): string {
  const place = placeOf(nameOf(targeted));
  return isPost(targeted) ? postedTo(place) : place;
}

const lowestSuccess = 200;
const highestSuccess = 399;

const digestLetters = 43;
const lettersOfPlace = 3;
const longestName = 100;

/**
 * Targets share 65,536 places, for each of which a store remembers for ever how often something was changed there: what
 * is remembered for each target could not be bounded without being forgotten.
 */
const placeOf = rememberPerText((name) => {
  const letters = name.slice(-digestLetters).slice(0, lettersOfPlace);
  return `${prefix}:${Buffer.from(letters, "base64url").readUInt16BE()}`;
}, longestName);

/** What POSTs that may be kept got at a place. */
function postedTo(place: string): string {
  return `${place}:posted`;
}

/** The address at which clients ask: routes that differ by method, and answers that differ by headers, have one target. */
function nameOf({ outgoing: { headers }, exchange: { matched } }: Targeted): string {
  const base = ["x-forwarded-proto", "x-forwarded-host", "x-forwarded-prefix"].map((name) =>
    textOf(headers[name]).toLowerCase().replace(usualPort, ""),
  );
  return nameOfParts(["target", ...base, plainPath(matched.path), plainQuery(matched.query)]);
}

const usualPort = /:(?:80|443)$/;

/** A parameter that services take for the method is no part of what is changed by that. */
function plainQuery(query = ""): string {
  if (!mayTellMethod(query)) return query;
  return splitQuery(query)
    .filter((parameter) => !tellsMethod(parameter))
    .map(({ raw }) => raw)
    .join("&");
}

/** Whatever routes and services may take for the same path: rather one answer too many is ended than one too few. */
function plainPath(path: string): string {
  const lower = decode(path).toLowerCase();
  return lower.endsWith("/") ? lower.slice(0, -1) : lower;
}

function decode(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const safe: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

/** Whether a request may change its target: by the client's method, the one that is sent, or a word that services take for it. */
function mayChange({ outgoing: { method, headers }, exchange: { context, matched } }: Targeted): boolean {
  return [context.req.method ?? "", method].some(isUnsafe) || overridesMethod(headers, matched.query ?? "");
}

function isUnsafe(method: string): boolean {
  return !safe.has(method);
}

const parametersOfMethod: ReadonlySet<string> = new Set(methodParameters);

function overridesMethod(headers: Headers, query: string): boolean {
  for (const name in headers) {
    if (isPlainlyAmong(name, methodHeaders) && isUnsafe(String(headers[name]).trim().toUpperCase())) return true;
  }
  return (
    mayTellMethod(query) && splitQuery(query).some((parameter) => tellsMethod(parameter) && tellsUnsafe(parameter))
  );
}

/** Most queries need no closer look; what is escaped is looked at. */
function mayTellMethod(query: string): boolean {
  return query !== "" && /method|%/i.test(query);
}

function tellsMethod({ name }: QueryParameter): boolean {
  return parametersOfMethod.has(name.toLowerCase());
}

function tellsUnsafe({ raw }: QueryParameter): boolean {
  return isUnsafe(raw.slice(raw.indexOf("=") + 1).toUpperCase());
}

function isPost({ exchange }: Targeted): boolean {
  return exchange.context.req.method === "POST";
}
