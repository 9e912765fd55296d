import { isNamingParameter } from "../discovery/naming-parameters.ts";
import { findInParameters } from "./find-in-parameters.ts";
import type { RouteSecrets } from "./route-secrets.ts";
import { looksSecretValue } from "./secret-names.ts";
import type { Span } from "./spans.ts";

// Some servers read a semicolon like an ampersand; the others begin a query within a value, or what follows one.
const within = /[;?#]/;

/** What was found in a query; the URL that a client asked for and the one that was sent upstream mostly have the same. */
let last: Readonly<{ query: string; secrets: RouteSecrets; spans: readonly Span[] }> | undefined;

/** Where secret values stand in the query of a URL, which begins at `start`. */
export function findInQuery(url: string, start: number, secrets: RouteSecrets): Span[] {
  if (secrets.wholeQuery) return [{ start, end: url.length }];
  const query = url.slice(start);
  if (last?.query !== query || last.secrets !== secrets) last = { query, secrets, spans: findIn(query, secrets) };
  return last.spans.map((span) => ({ start: span.start + start, end: span.end + start }));
}

function findIn(query: string, secrets: RouteSecrets): Span[] {
  const { credentials } = secrets;
  return findInParameters(
    { url: query, start: 0, end: query.length, between: "&", within },
    { isSecretName, credentials },
  );

  function isSecretName(name: string): boolean {
    if (isIn(secrets.secretParameters, name)) return true;
    return !isNamingParameter(name) && (looksSecretValue(name, credentials) || isIn(secrets.fixedParameters, name));
  }
}

function isIn(names: ReadonlySet<string>, name: string): boolean {
  if (names.size === 0) return false;
  const lower = name.toLowerCase();
  return names.has(lower) || names.has(lower.split("[", 1)[0]!);
}
