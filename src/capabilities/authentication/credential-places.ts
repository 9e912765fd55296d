import type { IncomingMessage } from "node:http";
import { splitQuery } from "../../urls/client-query.ts";
import { queryOf } from "../../urls/path-and-query.ts";
import { splitCookies } from "../../headers/cookies.ts";

/** Where a scheme reads credentials: names of headers, cookies and query parameters. */
export type CredentialPlaces = Readonly<{
  headers?: readonly string[];
  cookies?: readonly string[];
  query?: readonly string[];
  /** Whether `bearer, <token>` among the protocols of a WebSocket is a credential. */
  subprotocol?: boolean;
}>;

/** Several places as one, with the names of headers in lower case and each name once. */
export function joinPlaces(places: readonly CredentialPlaces[]): CredentialPlaces {
  const all = (names: (place: CredentialPlaces) => readonly string[] | undefined): readonly string[] => [
    ...new Set(places.flatMap((place) => names(place) ?? [])),
  ];
  return {
    headers: all(({ headers }) => headers?.map((name) => name.toLowerCase())),
    cookies: all(({ cookies }) => cookies),
    query: all(({ query }) => query),
    subprotocol: places.some(({ subprotocol }) => subprotocol === true),
  };
}

/** The places of the first that are none of the second; both as {@link joinPlaces} makes them. */
export function withoutPlaces(first: CredentialPlaces, second: CredentialPlaces): CredentialPlaces {
  const rest = (names: readonly string[] = [], others: readonly string[] = []): readonly string[] =>
    names.filter((name) => !others.includes(name));
  return {
    headers: rest(first.headers, second.headers),
    cookies: rest(first.cookies, second.cookies),
    query: rest(first.query, second.query),
    subprotocol: first.subprotocol === true && second.subprotocol !== true,
  };
}

/** Whether a request has anything in one of some places. */
export function showsCredential(
  { headers, url = "" }: Pick<IncomingMessage, "headers" | "url">,
  { headers: names = [], cookies = [], query = [], subprotocol = false }: CredentialPlaces,
): boolean {
  if (names.some((name) => headers[name] !== undefined)) return true;
  if (subprotocol && headers["sec-websocket-protocol"] !== undefined) return true;
  if (cookies.length > 0 && splitCookies(headers.cookie ?? "").some(({ name }) => cookies.includes(name))) return true;
  return query.length > 0 && splitQuery(queryOf(url) ?? "").some(({ name }) => query.includes(name));
}
