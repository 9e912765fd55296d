import { namingParameters } from "../discovery/naming-parameters.ts";
import { type CredentialNames, isCredentialHeader, isCredentialParameter } from "./credentials-of-schemes.ts";

/** What stands in for a secret in messages and logs. */
export const secretMask = "***";

// These parts mean a secret wherever they stand in a name: "apikey" and "dbpassword" are written in one.
const secretParts =
  /token|key|secret|passw|passphrase|passcode|pwd|credential|jwt|signature|authori[sz]ation|bearer|connectionstring/;
// Shorter names hold no such part: a client may send thousands of them.
const shortestPart = 3;
// Words that hold such a part and mean no secret.
const harmlessParts = /key(?:board|cloak|note|space|stroke|word)|(?:mon|tur|hoc|whis|joc)key|tokeni[sz]e/g;
// These mean a secret as words of their own only: "author" is no secret.
const secretWords: ReadonlySet<string> = new Set(["auth", "authcode", "cookie", "cred", "creds", "otp", "pass", "sig"]);
// These mean a secret in requests only: a login hands out a "code", whereas a "code" in a configuration may be that of
// a country.
const secretValueWords: ReadonlySet<string> = new Set(["code", "codes", "sid"]);
const secretValueParts = /sess(?:ion)?id/;

const namingNames: ReadonlySet<string> = new Set(namingParameters.map(lettersOf));

/** Whether something in a configuration has the name of a secret: a metadata key, a member of JSON, a variable. */
export function looksSecret(name: string): boolean {
  if (name.length < shortestPart) return false;
  const letters = lettersOf(name);
  // The naming service's own parameters are shown: without them a log would not tell where a request went.
  if (namingNames.has(letters)) return false;
  return secretParts.test(letters) || wordsOf(name).some((word) => secretWords.has(word));
}

const identityHeaders: ReadonlySet<string> = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie"]);

/** Whether a header tells who the client is, or looks as if it did. */
export function isSecretHeader(name: string, credentials: CredentialNames): boolean {
  return isCredentialHeader(name, credentials) || identityHeaders.has(name.toLowerCase()) || looksSecret(name);
}

/** Whether the value of a parameter or placeholder of this name is to be kept out of logs. */
export function looksSecretValue(name: string, credentials: CredentialNames): boolean {
  if (isCredentialParameter(name, credentials)) return true;
  if (name.length < shortestPart) return false;
  if (looksSecret(name) || secretValueParts.test(lettersOf(name))) return true;
  return wordsOf(name).some((word) => secretValueWords.has(word));
}

/** `pass-word`, `PASS_WORD` and `password` are the same. */
function lettersOf(name: string): string {
  return name
    .toLowerCase()
    .replace(harmlessParts, "")
    .replace(/[^a-z\d]+/g, "");
}

/** `auth[code]`, `auth_code` and `authCode` are two words each. */
function wordsOf(name: string): string[] {
  return (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());
}
