import { pathOf, queryOf } from "./path-and-query.ts";
/** The parts of a request target, as the client wrote them. */
export type RequestTarget = Readonly<{
  path: string;
  /** What follows the first `?`; undefined where there is none. */
  query: string | undefined;
  /** Only in absolute-form, e.g. `example.com:8080`. */
  authority: string | undefined;
}>;

// Behind the name of another scheme, such as `javascript:`, others read another path.
const absoluteForm = /^(?:http|ws)s?:\/\/([^/?#]*)/i;

/** Splits `req.url`; undefined for `*`, authority-form and other schemes, which name no path here. */
export function readRequestTarget(url: string): RequestTarget | undefined {
  if (url.startsWith("/")) return splitPathAndQuery(url, undefined);
  const absolute = absoluteForm.exec(url);
  if (absolute === null) return undefined;
  const rest = url.slice(absolute[0].length);
  return splitPathAndQuery(rest.startsWith("/") ? rest : `/${rest}`, absolute[1]);
}

/** Path and query without the authority, as most clients write them. */
export function originForm({ path, query }: RequestTarget): string {
  return query === undefined ? path : `${path}?${query}`;
}

function splitPathAndQuery(target: string, authority: string | undefined): RequestTarget {
  return { path: pathOf(target), query: queryOf(target), authority };
}
