import { editDistance } from "../../closest-name.ts";
import { meantBy } from "../../json/source-tokens.ts";
import type { Key } from "../../schema/key.ts";
import { createFindMeantSecret } from "../../secrets/near-secret-names.ts";
import { looksSecret } from "../../secrets/secret-names.ts";
import { keysWithoutEffect } from "../ocelot/keys-without-effect.ts";
import { allSections } from "../sections.ts";

const keysOfFormat = allSections.flatMap(({ keys }) => Object.entries<Key>(keys));

// Ocelot has some more that hold one.
const secretKeys: ReadonlySet<string> = new Set([
  ...["token", "scopesecret", "apisecret"],
  ...keysOfFormat.filter(([, { isSecret }]) => isSecret !== undefined).map(([name]) => name.toLowerCase()),
]);

// What has a form that is shown is too near to ordinary names.
const alwaysSecret = keysOfFormat.filter(([, { isSecret }]) => isSecret === true).map(([name]) => name.toLowerCase());
const findMeantSecret = createFindMeantSecret(alwaysSecret);

/** What is no secret, though it stands where one may be by mistake. */
const harmlessForms: ReadonlyMap<string, RegExp> = new Map(
  keysOfFormat.flatMap(([name, { isSecret }]) =>
    typeof isSecret === "object" ? [[name.toLowerCase(), isSecret.unless] as const] : [],
  ),
);

// What AuthenticationOptions had in 2017.
const oldAuthenticationKeys = [
  ...["Provider", "ProviderRootUrl", "IdentityServerConfig", "JwtConfig", "RequireHttps", "ScopeName"],
  ...["AdditionalScopes", "ApiName"],
];

const harmlessKeys: ReadonlySet<string> = new Set(
  allSections
    .flatMap(({ name: section, keys }) => [...Object.keys(keys), ...keysWithoutEffect(section).map(({ name }) => name)])
    .concat(oldAuthenticationKeys, "RouteKeys", "RouteKey", "KeyToPath")
    .map((key) => key.toLowerCase())
    .filter((key) => !secretKeys.has(key)),
);

/** Whether a value, as it is written, is no secret though the key is that of one. */
export function mayShow(secret: string, token: string): boolean {
  return token.startsWith('"') && harmlessForms.get(secret)?.test(meantBy(token)) === true;
}

// They outlive the configuration: one with very many names must not fill the memory.
const mostRemembered = 1_000;
const remembered = new Map<string, string | undefined>();

/** The name of the secret that a key names, also but for a slip or two; undefined where it names none. */
export function meantSecret(name: string): string | undefined {
  const key = name.toLowerCase();
  if (secretKeys.has(key) || (looksSecret(name) && !harmlessKeys.has(key))) return key;
  if (harmlessKeys.has(key)) return undefined;
  if (remembered.size > mostRemembered) remembered.clear();
  if (!remembered.has(name)) remembered.set(name, findMisspelt(name));
  return remembered.get(name);
}

// What JSON reads where a backslash was typed for the letter before one of these.
const escapedLetters: Readonly<Record<string, string>> = { "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t" };
const escaped = /[\b\f\n\r\t]/g;

/** What is as near to a key that holds no secret is that key. */
function findMisspelt(name: string): string | undefined {
  const written = name.replaceAll(escaped, (sign) => escapedLetters[sign]!);
  if (written !== name) return meantSecret(written);
  const meant = findMeantSecret(name);
  if (meant === undefined) return undefined;
  const key = name.toLowerCase();
  const enough = meant.slips + 1;
  return [...harmlessKeys].some((other) => editDistance(key, other, enough) < enough) ? undefined : meant.name;
}
