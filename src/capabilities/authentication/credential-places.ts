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
