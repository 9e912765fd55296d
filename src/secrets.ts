/** What stands in for a secret in messages and logs. */
export const secretMask = "***";

const secretWords = /token|key|secret|password/i;

/** Whether a metadata key or member name looks like that of a secret. */
export function looksSecret(name: string): boolean {
  return secretWords.test(name);
}
