import type { IncomingHttpHeaders } from "node:http";

/** Headers of which the names matter here, and whether a value is another one than before. */
type NamedHeaders = Record<string, unknown>;

/** What is known of headers that may be spelt in several ways. */
export type HeaderSources = Readonly<{
  /** As they came from the client. */
  given: IncomingHttpHeaders;
  /** Those of them that nobody here has seen: what stands under such a name later was set by somebody. */
  dropped: readonly string[] | undefined;
  /** Names in lower case that the route compares or sets. */
  compared: ReadonlySet<string>;
}>;

/** Names that most requests carry and that have no other spelling: they need no closer look. */
export const usualHeaders: ReadonlySet<string> = new Set([
  "host",
  "accept",
  "accept-encoding",
  "accept-language",
  "authorization",
  "cache-control",
  "content-length",
  "content-type",
  "cookie",
  "origin",
  "referer",
  "user-agent",
]);

/** Names of which it is known without a closer look that they have no other spelling: also those that the gateway sets. */
const plainlySpelt: ReadonlySet<string> = new Set([
  ...usualHeaders,
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-prefix",
  "x-forwarded-proto",
]);

const unusualCharacter = /[^a-z\d-]/;

/** Whether a name, in lower case, holds a character that CGI, PHP or WSGI reads as it reads a hyphen. */
export function isOddlySpelt(name: string): boolean {
  return !plainlySpelt.has(name) && unusualCharacter.test(name);
}

/** The name that such an upstream takes an oddly spelt one for. */
export function plainName(name: string): string {
  return name.replace(/[^a-z\d]/g, "-");
}

/** Whether an upstream may take a name, in lower case, for one of some plain ones. */
export function isPlainlyAmong(name: string, plainNames: ReadonlySet<string>): boolean {
  if (plainNames.has(name)) return true;
  return isOddlySpelt(name) && plainNames.has(plainName(name));
}

/** Whether any of some headers has a name that may be another spelling of another one's. */
export function holdOddSpelling(headers: Readonly<NamedHeaders>): boolean {
  for (const name in headers) if (isOddlySpelt(name)) return true;
  return false;
}

/** Which headers the route compares or sets, and which are as the client sent them. */
type SpellingRules = Readonly<{ compared: ReadonlySet<string>; isClients: (name: string) => boolean }>;

/**
 * The names that go where one is spelt in several ways: those stay that somebody here has set; where all are the client's,
 * those that the route compares, else the one with hyphens, else the first.
 */
export function findSpareSpellings(headers: IncomingHttpHeaders, { compared, isClients }: SpellingRules): string[] {
  const spare: string[] = [];
  for (const [plain, alike] of Map.groupBy(Object.keys(headers), plainName)) {
    if (alike.length < 2) continue;
    const setHere = alike.filter((name) => !isClients(name));
    const kept = setHere.length > 0 ? new Set(setHere) : chooseOne(alike, plain, compared);
    spare.push(...alike.filter((name) => !kept.has(name)));
  }
  return spare;
}

/**
 * Of several names that an upstream may take for one, the client's go where middleware, a handler or the gateway has set
 * another one.
 */
export function dropAliases(headers: NamedHeaders, sources: HeaderSources): void {
  if (!holdOddSpelling(headers)) return;
  for (const [plain, alike] of Map.groupBy(Object.keys(headers), plainName)) {
    if (alike.length < 2) continue;
    const kept = chooseKept(alike, plain, headers, sources);
    for (const name of alike) if (!kept.has(name)) delete headers[name];
  }
}

function chooseKept(
  alike: readonly string[],
  plain: string,
  headers: NamedHeaders,
  { given, dropped, compared }: HeaderSources,
): ReadonlySet<string> {
  const ours = alike.filter((name) => headers[name] !== given[name] || dropped?.includes(name));
  return ours.length > 0 ? new Set(ours) : chooseOne(alike, plain, compared);
}

function chooseOne(alike: readonly string[], plain: string, compared: ReadonlySet<string>): ReadonlySet<string> {
  const known = alike.filter((name) => compared.has(name));
  if (known.length > 0) return new Set(known);
  return new Set([alike.includes(plain) ? plain : alike[0]!]);
}
