import { namingParameters } from "../discovery/naming-parameters.ts";
import { type CredentialNames, isCredentialHeader, isCredentialParameter } from "./credentials-of-schemes.ts";
import { createWordFinder } from "./find-any-word.ts";

/** What stands in for a secret in messages and logs. */
export const secretMask = "***";

// These parts mean a secret wherever they stand in a name: "apikey" and "dbpassword" are written in one.
const secretParts = [
  "token",
  "key",
  "secret",
  "passw",
  "passphrase",
  "passcode",
  "pwd",
  "credential",
  "jwt",
  "signature",
  "authorisation",
  "authorization",
  "bearer",
  "connectionstring",
];
// Words that hold such a part and mean no secret.
const harmlessParts = /key(?:board|cloak|note|space|stroke|word)|(?:mon|tur|hoc|whis|joc)key|tokeni[sz]e/g;
// These mean a secret as words of their own only: "author" is no secret.
const secretWords = ["auth", "authcode", "cookie", "cred", "creds", "otp", "pass", "sig"];
// These mean a secret in requests only: a login hands out a "code", whereas a "code" in a configuration may be that of
// a country.
const secretValueParts = ["sessid", "sessionid"];
const secretValueWords = ["code", "codes", "sid"];

/** What tells that a name is that of a secret. */
type SecretSigns = Readonly<{ part: RegExp; word: RegExp }>;

const signs = signsOf(secretParts, secretWords);
const signsOfValue = signsOf([...secretParts, ...secretValueParts], [...secretWords, ...secretValueWords]);
// All harmless parts, and some names of the naming service's parameters, hold one of these, too.
const mayHoldPart = createWordFinder([...secretParts, ...secretValueParts]);

/** Whether a text holds what a secret is called, perhaps within other words; most do not, which is found out at little cost. */
export const mayLookSecret = createWordFinder([secretParts, secretWords, secretValueParts, secretValueWords].flat());

const namingNames: ReadonlySet<string> = new Set(namingParameters.map(lettersOf));

/** Whether something in a configuration has the name of a secret: a metadata key, a member of JSON, a variable. */
export function looksSecret(name: string): boolean {
  return mayLookSecret(name) && looksSecretBy(signs, name);
}

const identityHeaders: ReadonlySet<string> = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie"]);

/** Whether a header tells who the client is, or looks as if it did. */
export function isSecretHeader(name: string, credentials: CredentialNames): boolean {
  return isCredentialHeader(name, credentials) || identityHeaders.has(name.toLowerCase()) || looksSecret(name);
}

/** Whether the value of a parameter or placeholder of this name is to be kept out of logs. */
export function looksSecretValue(name: string, credentials: CredentialNames): boolean {
  return isCredentialParameter(name, credentials) || (mayLookSecret(name) && looksSecretBy(signsOfValue, name));
}

function signsOf(parts: readonly string[], words: readonly string[]): SecretSigns {
  return { part: new RegExp(parts.join("|")), word: patternOfWords(words) };
}

function looksSecretBy({ part, word }: SecretSigns, name: string): boolean {
  if (!mayHoldPart(name)) return word.test(name);
  const letters = lettersOf(name);
  // The naming service's own parameters are shown: without them a log would not tell where a request went.
  if (namingNames.has(letters)) return false;
  return part.test(letters) || word.test(name);
}

/** `pass-word`, `PASS_WORD` and `password` are the same. */
function lettersOf(name: string): string {
  return name
    .toLowerCase()
    .replace(harmlessParts, "")
    .replace(/[^a-z\d]+/g, "");
}

/** `auth[code]`, `auth_code`, `authCode` and `AUTHCode` are two words each. */
function patternOfWords(words: readonly string[]): RegExp {
  const lower = words.join("|");
  const capital = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("|");
  const [small, large] = [`(?:(?<![A-Za-z])(?:${lower})|(?:${capital}))(?![a-z])`, lower.toUpperCase()];
  // Of capitals before a small letter the last begins another word.
  return new RegExp(`${small}|(?<![A-Z])(?:${large})(?![a-z]|[A-Z](?![a-z]))`);
}
