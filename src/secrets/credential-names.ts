/*
 * What schemes of authentication read is a secret everywhere: in logs, traces, explanations and the inspector. Texts are
 * masked in many places that know no configuration, so the names are kept for the whole process. They come from
 * configurations and options alone, never from requests, and are few.
 */
const headers = new Set<string>();
const parameters = new Set<string>();

/** Names of headers and parameters in which schemes look for credentials. */
export type CredentialNames = Readonly<{
  headers?: readonly string[] | undefined;
  query?: readonly string[] | undefined;
}>;

/** Notes in which headers and parameters a scheme looks. */
export function noteCredentialNames(names: CredentialNames): void {
  for (const name of names.headers ?? []) headers.add(name.toLowerCase());
  for (const name of names.query ?? []) parameters.add(name.toLowerCase());
}

/** Whether a scheme reads credentials in headers of this name. */
export function isCredentialHeader(name: string): boolean {
  return headers.size > 0 && headers.has(name.toLowerCase());
}

/** Whether a scheme reads credentials in parameters of this name. */
export function isCredentialParameter(name: string): boolean {
  return parameters.size > 0 && parameters.has(name.toLowerCase());
}
