import type { IncomingMessage } from "node:http";
import type { OutgoingRequest } from "../../delegating-handler.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { hopByHopHeaders } from "../../headers/hop-by-hop.ts";
import { lowerCaseOf } from "../../headers/lower-case-of.ts";
import { comparingHeaders, partialHeaders } from "../../headers/precondition-names.ts";
import { createIsClients } from "../../headers/set-by-client-or-here.ts";
import type { RecognisedIdentity } from "../../identity/identity.ts";
import { placeholderText } from "../../templates/placeholder-text.ts";
import type { Parts } from "./request-key.ts";

// The gateway itself adds to these or takes them out, and they tell of a connection, an address or what a client has already.
const untelling: ReadonlySet<string> = new Set([
  ...hopByHopHeaders,
  ...comparingHeaders,
  ...partialHeaders,
  ...["content-length", "via", "x-forwarded-for", "x-real-ip"],
]);

/**
 * What handlers are shown of a request besides what is sent: they may answer by it, or by what middleware has made of it.
 * Of the headers these are the host, and all that are not handed to them as the client sent them.
 */
export function shownToHandlers(
  { headers }: OutgoingRequest,
  { context: { placeholders, req } }: MatchedExchange,
  idHeader: string | undefined,
): Parts {
  const { url = "", rawHeaders } = req;
  const values = Object.keys(placeholders).flatMap((name) => [name, placeholderText(placeholders, name)]);
  const shown = [url, originalUrlOf(req), String(values.length), ...values];
  const isAsItCame = createIsClients({ headers, rawHeaders });
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = lowerCaseOf(rawHeaders[index]!);
    const value = rawHeaders[index + 1]!;
    if (untelling.has(name) || name === idHeader) continue;
    if (name === "host" || (headers[name] !== value && !isAsItCame(name))) shown.push(name, value);
  }
  return shown;
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
export function identityOfOtherPart({ identity, foundByParts }: MatchedExchange): RecognisedIdentity | undefined {
  return foundByParts?.find((found) => identity === undefined || !isSame(found, identity));
}

function isSame(one: RecognisedIdentity, other: RecognisedIdentity): boolean {
  return one.scheme === other.scheme && one.id === other.id && one.token === other.token;
}
