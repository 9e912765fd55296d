import type { IncomingHttpHeaders } from "node:http";
import { createIsClients, type HeadersOfRequest } from "./set-by-client-or-here.ts";
import { findSpareSpellings, isOddlySpelt, isPlainlyAmong, plainName, usualHeaders } from "./header-aliases.ts";
import { goesWithConnection, hopByHopHeaders, namedByConnection } from "./hop-by-hop.ts";
import { isProxysWord, proxyOfPrograms } from "./headers-only-proxies-may-say.ts";

// Of these the gateway tells what it sees itself.
const toldByGateway: ReadonlySet<string> = new Set([
  "x-forwarded-for",
  "x-forwarded-proto",
  "x-forwarded-host",
  "x-forwarded-prefix",
]);

/** What is left of a request's headers, and which were dropped besides a usual `Connection`, as nearly all requests have. */
type CleanedHeaders = Readonly<{ headers: IncomingHttpHeaders; dropped: readonly string[] | undefined }>;

/** Whether the peer may say who the client is, and the names in lower case that the route compares or sets. */
type CleaningRules = Readonly<{ peerIsTrusted: boolean; compared: () => ReadonlySet<string> }>;

/**
 * A matched request's headers without what must not reach middleware as the client's word: hop-by-hop headers, those
 * that `Connection` names, `Proxy`, and, from an untrusted peer, what only a proxy may say. What somebody here has set before the
 * match is no client's word, and stays. `Transfer-Encoding` stays until the request is sent: body parsers in the user's
 * middleware look at it to know that there is a body. It is a copy, as an object from which something was deleted is slow
 * for everybody who looks at it later. Of a name that is spelt in several ways one spelling is left, or those that were
 * set here: if there is another one later, somebody here has set that, too.
 */
export function cleanIncomingHeaders(
  request: HeadersOfRequest,
  { peerIsTrusted, compared }: CleaningRules,
): CleanedHeaders {
  const { headers } = request;
  const named = headers.connection === undefined ? nothing : namedOfOthers(headers.connection, compared);
  const isClients = createIsClients(request);
  const clean: IncomingHttpHeaders = {};
  let dropped: string[] | undefined;
  let hasOdd = false;
  for (const name in headers) {
    if (named.size === 0 && usualHeaders.has(name)) {
      clean[name] = headers[name];
      continue;
    }
    const stays = !(
      isNobodys(name, peerIsTrusted) ||
      (isTakenFromClients(name, { peerIsTrusted, named }) && isClients(name))
    );
    hasOdd ||= stays && isOddlySpelt(name);
    if (stays) clean[name] = headers[name];
    else if (name !== "connection" || named.size > 0) (dropped ??= []).push(name);
  }
  if (hasOdd) {
    const spare = findSpareSpellings(clean, { compared: compared(), isClients });
    for (const name of spare) Reflect.deleteProperty(clean, name);
    dropped = dropped === undefined ? spare : [...dropped, ...spare];
  }
  return { headers: clean, dropped };
}

/** What `Connection` names, but the headers by which the request came to its route: the service goes by these as well. */
function namedOfOthers(connection: string, compared: CleaningRules["compared"]): ReadonlySet<string> {
  const names = namedByConnection(connection);
  return names.length === 0 ? nothing : new Set(names.filter((name) => !isPlainlyAmong(name, compared())));
}

const nothing: ReadonlySet<string> = new Set();

/** What middleware cannot set either: what speaks of one connection, framing, and what the gateway tells. */
function isNobodys(name: string, peerIsTrusted: boolean): boolean {
  if (hopByHopHeaders.has(name)) return name !== "transfer-encoding";
  if (!isOddlySpelt(name)) return !peerIsTrusted && toldByGateway.has(name);
  const plain = plainName(name);
  return hopByHopHeaders.has(plain) || plain === "content-length" || toldByGateway.has(plain);
}

/** Nobody spells a proxy's header oddly who means well, and a proxy that is trusted may pass on what its client has sent. */
function isTakenFromClients(
  name: string,
  { peerIsTrusted, named }: Readonly<{ peerIsTrusted: boolean; named: ReadonlySet<string> }>,
): boolean {
  if (name === proxyOfPrograms || goesWithConnection(name, named)) return true;
  return isOddlySpelt(name) ? isProxysWord(plainName(name)) : !peerIsTrusted && isProxysWord(name);
}
