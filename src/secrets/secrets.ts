/** What stands in for a secret in messages and logs. */
export const secretMask = "***";

const secretWords = /token|key|secret|password/i;

/** Whether a metadata key or member name looks like that of a secret. */
export function looksSecret(name: string): boolean {
  return secretWords.test(name);
}

const identityHeaders: ReadonlySet<string> = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie"]);

/** Whether a header tells who somebody is, or looks as if it did. */
export function isSecretHeader(name: string): boolean {
  return identityHeaders.has(name.toLowerCase()) || looksSecret(name);
}

// As words of their own: a postcode is none.
const secretValueWords: ReadonlySet<string> = new Set([
  ...["code", "codes", "authcode", "sig", "signature", "auth", "authorization", "credential", "credentials"],
  ...["jwt", "pass", "passphrase", "passwd", "pwd"],
]);

/** Whether the value of a parameter or placeholder of this name is to be kept out of logs. */
export function looksSecretValue(name: string): boolean {
  return looksSecret(name) || wordsOf(name).some((word) => secretValueWords.has(word.toLowerCase()));
}

/** `auth[code]`, `auth_code` and `authCode` are two words each. */
function wordsOf(name: string): string[] {
  return name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
}
