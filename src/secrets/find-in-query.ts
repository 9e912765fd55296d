import { isNamingParameter } from "../discovery/naming-parameters.ts";
import { formDecode } from "../urls/form-decode.ts";
import type { CredentialNames } from "./credentials-of-schemes.ts";
import { holdsSecret } from "./secret-within-value.ts";
import type { RouteSecrets } from "./route-secrets.ts";
import { looksSecretValue } from "./secret-names.ts";
import type { Span } from "./spans.ts";
/** Where secret values stand in the query of a URL, which begins at `start`. */
export function findInQuery(url: string, start: number, secrets: RouteSecrets): Span[] {
  const { length: end } = url;
  const { credentials } = secrets;
  if (secrets.wholeQuery) return [{ start, end }];
  return findInParameters({ url, start, end, separators: betweenParameters }, { isSecretName, credentials });

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

/** What stands between separators: as people write them in queries, and in paths. */
type Separators = RegExp;

/** What tells that a parameter is a secret: its name, as a form decodes it, or what its value holds. */
type SecretParameters = Readonly<{ isSecretName: (name: string) => boolean; credentials: CredentialNames }>;

// Some servers read a semicolon like an ampersand; the others begin a query within a value, or what follows one.
const betweenParameters = /[&;?#]/g;
/** A path may have parameters, too, behind semicolons. */
export const betweenPieces = /[;/]/g;

type Part = Readonly<{ url: string; start: number; end: number; separators: Separators }>;

/** Where the values of secret parameters stand in a part of a URL; of one that holds a secret within, all of it does. */
export function findInParameters({ url, start, end, separators }: Part, secret: SecretParameters): Span[] {
  const spans: Span[] = [];
  let from = start;
  separators.lastIndex = start;
  while (from < end) {
    const to = Math.min(separators.exec(url)?.index ?? end, end);
    if (to > from) addSecret(url.slice(from, to), from, secret, spans);
    from = to + 1;
  }
  return spans;
}

function addSecret(parameter: string, start: number, secret: SecretParameters, spans: Span[]): void {
  const equals = parameter.indexOf("=");
  const name = equals === -1 ? "" : parameter.slice(0, equals);
  const isSecret =
    (name !== "" && secret.isSecretName(formDecode(name))) ||
    // The name may be escaped more than once, too.
    holdsSecret(name.includes("%") ? parameter : parameter.slice(equals + 1), secret.credentials);
  if (isSecret) spans.push({ start: start + equals + 1, end: start + parameter.length });
}
