import { noCredentialNames } from "./credentials-of-schemes.ts";
import { meantBy, type SourceToken, tokensOf } from "../json/source-tokens.ts";
import { decodeJsonEscapes } from "./json-escapes.ts";
import { holdsSecret } from "./secret-within-value.ts";
import { maskValues } from "./redact.ts";
import { looksSecret, secretMask } from "./secret-names.ts";

/** A metadata value as it may be shown: a whole secret is `***`, and so are the secrets among the members of JSON. */
export function maskMetadata(key: string, value: string | null, variables: readonly string[]): string | null {
  if (value === null) return null;
  if (looksSecret(key)) return secretMask;
  const masked = maskValues(maskMembers(value), variables);
  return bearsSecret(masked) ? secretMask : masked;
}

const credentials = /^\s*(?:Bearer|Basic)\s+[\w.~+/=-]+\s*$/i;

/**
 * Whether a text holds a secret within, or one in JSON does: behind a name, before a host, or as credentials. It is the
 * operator's text: what clients send to schemes of authentication is not in it.
 */
export function bearsSecret(value: string): boolean {
  if (credentials.test(value)) return true;
  if (!mayBeJson.test(value)) return holdsSecret(value, noCredentialNames);
  const texts = Array.from(tokensOf(value)).filter(({ token }) => token.startsWith('"'));
  if (texts.some(({ token }) => bearsSecret(meantBy(token)))) return true;
  return holdsSecret(withoutTexts(value, texts), noCredentialNames);
}

const mayBeJson = /^\s*[{[]/;

/** What begins like JSON may be another text; the names of members are looked at by themselves. */
function withoutTexts(value: string, texts: readonly SourceToken[]): string {
  let end = 0;
  const between = texts.map(({ token, index }) => {
    const before = value.slice(end, index);
    end = index + token.length;
    return before;
  });
  return [...between, value.slice(end)].join('""');
}

/** Whether a text of a configuration is JSON, or nearly, that holds a secret. */
export function isJsonWithSecret(text: string): boolean {
  if (!mayQuoteMembers.test(text)) return false;
  return findSecretMember(text) !== undefined || (mayBeJson.test(text) && bearsSecret(text));
}

// A template has braces and colons as well, but no quotes.
const mayQuoteMembers = /["']|^\s*\{[^{}]*:/;

/** The name by which a metadata entry looks secret: its key, or a member of its JSON; undefined where there is none. */
export function findSecretName(key: string, value: string | null): string | undefined {
  return looksSecret(key) ? key : findSecretMember(value ?? "");
}

/** The name of the first member of a JSON text that is named like a secret; undefined where there is none. */
function findSecretMember(text: string): string | undefined {
  if (!mayHoldMembers(text)) return undefined;
  const found: string[] = [];
  try {
    JSON.parse(text, (name, member: unknown) => {
      if (looksSecret(name)) found.push(name);
      // JSON may be written as a text within JSON.
      else if (typeof member === "string") found.push(...[findSecretMember(member)].filter((one) => one !== undefined));
      return member;
    });
  } catch {
    return findNameInPieces(text);
  }
  return found[0];
}

/** Whether there is anything of JSON's objects in a text, or in one that is written within it. */
function mayHoldMembers(text: string): boolean {
  return text.includes(":") && /["'{]/.test(text);
}

/** What is nearly JSON has names as well. */
function findNameInPieces(text: string): string | undefined {
  // A run of white space, or of quotes with their backslashes, is one character: no run is too long then.
  const readable = decodeJsonEscapes(text)
    .replace(/["'\\]+/g, '"')
    .replace(/\s+/g, " ");
  for (const [, name = ""] of readable.matchAll(/([^"{},:]{1,100})"? ?:/g)) {
    if (looksSecret(name)) return name.trim();
  }
  return undefined;
}

function maskMembers(value: string): string {
  if (findSecretMember(value) === undefined) return value;
  try {
    return JSON.stringify(JSON.parse(value, maskMember));
  } catch {
    return secretMask;
  }
}

function maskMember(name: string, member: unknown): unknown {
  if (looksSecret(name)) return secretMask;
  return typeof member === "string" ? maskMembers(member) : member;
}
