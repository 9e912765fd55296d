import { formDecode } from "../urls/form-decode.ts";
import type { CredentialNames } from "./credentials-of-schemes.ts";
import { canLookAt, createEffort, type Effort, isSpent } from "./effort.ts";
import { holdsSecret, holdsSecretAsWritten, spellingsOf } from "./secret-within-value.ts";
import type { Span } from "./spans.ts";

/** What tells that a parameter is a secret: its name, as a form decodes it, or what its value holds. */
type SecretParameters = Readonly<{ isSecretName: (name: string) => boolean; credentials: CredentialNames }>;

/**
 * A URL with parameters from `start` to `end`. What stands `between` them parts them for every server; at what stands `within` them
 * some servers begin a new one, and to others it is a character of a value like any other.
 */
type Part = Readonly<{ url: string; start: number; end: number; between: string; within: RegExp }>;

/**
 * Where the values of secret parameters stand in a URL; of one that holds a secret within, all of it does. Names
 * are looked for behind each sign at which any server parts, and a value goes on to where every server ends it. Where
 * looking takes too much effort, all that follows is taken, from the parameter on in which that shows.
 */
export function findInParameters({ url, start, end, between, within }: Part, secret: SecretParameters): Span[] {
  const spans: Span[] = [];
  const effort = createEffort();
  let lastBracket: number | undefined;
  for (let from = start; from < end;) {
    const parameter = url.slice(from, isSpent(effort) ? end : endOfParameter(from));
    const found = isSpent(effort) ? 0 : beginningIn(parameter, within, secret, effort);
    const to = found === undefined ? from + parameter.length : endOfJson(parameter, from + parameter.length);
    if (found !== undefined) spans.push({ start: from + found, end: to });
    from = to + 1;
  }
  return spans;

  function endOfParameter(from: number): number {
    const at = url.indexOf(between, from);
    return at === -1 || at > end ? end : at;
  }

  /**
   * Who escapes a whole URL at once leaves the separators in its JSON, of which no bracket tells where it ends but the last.
   * What stands behind that is another parameter, or the query.
   */
  function endOfJson(parameter: string, parameterEnd: number): number {
    if (!quote.test(parameter)) return parameterEnd;
    lastBracket ??= endOfLastBracket(url);
    if (lastBracket <= parameterEnd) return parameterEnd;
    return lastBracket < end ? endOfParameter(lastBracket) : lastBracket;
  }
}

const quote = /["']|%(?:25)*2[27]|\\u002[27]/i;
const closingBracket = /[}\]]|%(?:25)*[57]d/gi;

/** Where the last bracket ends that closes something, in any spelling; -1 where there is none. */
function endOfLastBracket(url: string): number {
  let last = -1;
  for (const { 0: bracket, index } of url.matchAll(closingBracket)) last = index + bracket.length;
  return last;
}

/** Where in a parameter something begins that is secret, or is not looked at any more; undefined where nothing is. */
function beginningIn(parameter: string, within: RegExp, secret: SecretParameters, effort: Effort): number | undefined {
  if (!within.test(parameter)) return canLookAt(parameter, effort) ? beginningInPiece(parameter, secret) : 0;
  let start = 0;
  for (const piece of parameter.split(within)) {
    if (!canLookAt(piece, effort)) return 0;
    const found = beginningInPiece(piece, secret);
    if (found !== undefined) return start + found;
    start += piece.length + 1;
  }
  // What is secret may have been parted itself, such as a password before a host.
  return beginningOfHeld(parameter, secret.credentials);
}

function beginningInPiece(piece: string, secret: SecretParameters): number | undefined {
  const equals = piece.indexOf("=");
  const byName = equals > 0 ? beginningByName(piece.slice(0, equals), secret) : undefined;
  return byName ?? beginningOfHeld(piece, secret.credentials);
}

/** Where a parameter begins that is secret by its name, or holds a secret there; its spellings are made once for both. */
function beginningByName(name: string, { isSecretName, credentials }: SecretParameters): number | undefined {
  const value = name.length + 1;
  // An encoded sign, or the colon of JSON, stands before the first equals sign, which is part of a value.
  if (!name.includes("%")) {
    if (holdsSecret(name, credentials)) return 0;
    return isSecretName(formDecode(name)) ? value : undefined;
  }
  const spellings = spellingsOf(name);
  if (spellings.some((text) => holdsSecretAsWritten(text, credentials))) return 0;
  return decodedNames(spellings).some(isSecretName) ? value : undefined;
}

/** The escapes of JSON are no part of what frameworks decode in a name. */
function decodedNames(spellings: readonly string[]): readonly string[] {
  const isPlain = spellings.every((text) => !text.includes("\\"));
  const decoded = isPlain ? spellings : spellingsOf(spellings[0]!, (text) => text);
  return decoded.length > 1 ? decoded.slice(1) : decoded;
}

/** Where a text begins that holds a secret: behind its own name, unless the secret stands around the sign. */
function beginningOfHeld(text: string, credentials: CredentialNames): number | undefined {
  const value = text.indexOf("=") + 1;
  if (holdsSecret(text.slice(value), credentials)) return value;
  return value > 0 && mayBeforeHost.test(text) && holdsSecret(text, credentials) ? 0 : undefined;
}

const mayBeforeHost = /@|%(?:25)*40/;
