/** Keys by which the first versions of Ocelot defined a scheme where it is used, in lower case. */
const definingKeys: ReadonlySet<string> = new Set([
  "provider",
  "providerrooturl",
  "requirehttps",
  "apiname",
  "apisecret",
  "scopename",
  "scopesecret",
  "additionalscopes",
]);

/** What is to be written instead of a key of `AuthenticationOptions` that defines a scheme where it is used. */
export function insteadOfDefining(key: string): string | undefined {
  if (!definingKeys.has(key.toLowerCase())) return undefined;
  const define = 'define the scheme in "AuthenticationSchemes" of "GlobalConfiguration"';
  return `with it the first versions of Ocelot defined a scheme in place; ${define}, and name it here: "AuthenticationProviderKeys": ["…"]`;
}
