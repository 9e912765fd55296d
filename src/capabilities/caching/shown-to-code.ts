import type { IncomingMessage } from "node:http";
import type { OutgoingRequest } from "../../delegating-handler.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { hopByHopHeaders } from "../../headers/hop-by-hop.ts";
import { lowerCaseOf } from "../../headers/lower-case-of.ts";
import { comparingHeaders, partialHeaders } from "../../headers/precondition-names.ts";
import { isSameCredential } from "../../identity/same-identity.ts";
import { placeholderText } from "../../templates/placeholder-text.ts";
import type { Parts, TellingHeaders } from "./request-key.ts";

// The gateway itself adds to these or takes them out, and they tell of a connection, an address or what a client has already.
const untelling: ReadonlySet<string> = new Set([
  ...hopByHopHeaders,
  ...comparingHeaders,
  ...partialHeaders,
  ...["content-length", "via", "x-forwarded-for", "x-real-ip"],
]);

/**
 * What code, handlers and balancers of the app, is shown of a request besides what is sent: it may answer by that, or choose
 * a host, or by what middleware has made of it. Of the headers these are the host, and all that are not handed to it as the
 * client sent them, or may not be: under a name that is set here, and where several lines become one value, it matters
 * which lines there were, and whether any.
 */
export function shownToCode(
  { headers }: OutgoingRequest,
  { context: { placeholders, req } }: MatchedExchange,
  { idHeader, setHere }: Pick<TellingHeaders, "idHeader" | "setHere">,
): Parts {
  const { url = "", rawHeaders } = req;
  const values = Object.keys(placeholders).flatMap((name) => [name, placeholderText(placeholders, name)]);
  const shown = [url, originalUrlOf(req), String(values.length), ...values];
  for (const [name, lines] of linesByName(rawHeaders)) {
    if (untelling.has(name) || name === idHeader) continue;
    const isAsItCame = lines.length === 1 && headers[name] === lines[0];
    if (isAsItCame && name !== "host" && !setHere.isTold(name) && !setHere.isSeen(name)) continue;
    shown.push(name, String(lines.length), ...lines);
  }
  return shown;
}

/** All lines of a request, by their names in lower case. */
function linesByName(rawHeaders: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = lowerCaseOf(rawHeaders[index]!);
    const lines = byName.get(name);
    if (lines === undefined) byName.set(name, [rawHeaders[index + 1]!]);
    else lines.push(rawHeaders[index + 1]!);
  }
  return byName;
}

/** Middleware may have taken out of the address what it has recognised a client by. */
function originalUrlOf({ originalUrl = "" }: IncomingMessage & { originalUrl?: string }): string {
  return originalUrl;
}

/** The names, in lower case, of the headers that were taken out before the match: middleware may have made a user of them. */
export function namesTakenOut({ given, context: { req } }: MatchedExchange): readonly string[] {
  const { rawHeaders } = req;
  let names: string[] | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = lowerCaseOf(rawHeaders[index]!);
    if (given[name] === undefined) (names ??= []).push(name);
  }
  return names ?? none;
}

const none: readonly string[] = [];

/** An identity that another part of the aggregate has found: what middleware sets on the request then stays for all parts. */
export function identityOfOtherPart({ identity, foundByParts }: MatchedExchange): unknown {
  return foundByParts?.find((found) => !isSameCredential(found, identity));
}
