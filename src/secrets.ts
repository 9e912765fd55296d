/** What stands in for a secret in messages and logs. */
export const secretMask = "***";

const secretWords = /token|key|secret|password/i;

/** Whether a metadata key or member name looks like that of a secret. */
export function looksSecret(name: string): boolean {
  return secretWords.test(name);
}

// As words of their own: a postcode is none.
const secretValueWords = /(?:^|[^a-z])(?:code|sig|signature)$|[a-z](?:Code|Sig|Signature)$/;

/** Whether the value of a parameter or placeholder of this name is to be kept out of logs. */
export function looksSecretValue(name: string): boolean {
  return looksSecret(name) || secretValueWords.test(name) || secretValueWords.test(name.toLowerCase());
}
