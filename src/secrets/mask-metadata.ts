import { noCredentialNames } from "./credentials-of-schemes.ts";
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
 * Whether a text that is no JSON holds a secret within: behind a name, before a host, or as credentials. It is the
 * operator's text: what clients send to schemes of authentication is not in it.
 */
export function bearsSecret(value: string): boolean {
  return credentials.test(value) || (!mayHoldMembers(value) && holdsSecret(value, noCredentialNames));
}

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
  const readable = text.replace(/\\u([\da-f]{4})/gi, (_escape, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  for (const [, name = ""] of readable.matchAll(/([^"'\\{},:]{1,100})["'\\]{0,4}\s{0,10}:/g)) {
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
