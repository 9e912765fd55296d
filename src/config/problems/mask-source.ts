import { namingParameters } from "../../discovery/naming-parameters.ts";
import { looksSecret, secretMask } from "../../secrets/secret-names.ts";
import type { Steps } from "../../time-slices.ts";
import { keysWithoutEffect } from "../ocelot/keys-without-effect.ts";
import { allSections } from "../sections.ts";
import type { Key } from "../../schema/key.ts";
import { tokensOf } from "../../json/source-tokens.ts";
import { type ApiKeyList, scanApiKeys } from "./api-key-list.ts";

// The value of a parameter in a template, unless it is nothing but a placeholder, or where the naming service reads it.
const literalValues = new RegExp(
  `(?<=[?&](?!(?:${namingParameters.join("|")})=)[^=&"\\s]*=)(?!\\{[^{}"]*\\}(?:[&"#]|$))[^&"#]+`,
  "g",
);
// A name and a password before a host.
const credentials = /(?<=[/"])[^/"@\s][^/"@\s:]*:[^/"@\s]*(?=@)/g;

/** A message about a configuration as it may be shown: literal values of parameters in the templates it quotes are `***`. */
export function maskMessage(message: string): string {
  return message.replaceAll(literalValues, secretMask).replaceAll(credentials, secretMask);
}

const keysOfFormat = allSections.flatMap(({ keys }) => Object.entries<Key>(keys));

// Ocelot has some more that hold one.
const secretKeys: ReadonlySet<string> = new Set([
  ...["token", "scopesecret", "apisecret"],
  ...keysOfFormat.filter(([, { isSecret }]) => isSecret !== undefined).map(([name]) => name.toLowerCase()),
]);

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

/** Where the scan of a configuration is: behind the name of a secret, so many brackets within its value, or among API keys. */
type Place = {
  name: string | undefined;
  isSecret: boolean;
  depth: number;
  harmless?: RegExp | undefined;
  apiKeys?: ApiKeyList | undefined;
};

const longestStep = 256;

/** A configuration as it may be shown. Secrets become as many asterisks, so that columns stay true. */
export function* maskSource(text: string): Steps<string> {
  const place: Place = { name: undefined, isSecret: false, depth: 0 };
  const parts: string[] = [];
  let end = 0;
  let count = 0;
  for (const { token, index } of tokensOf(text)) {
    count += 1;
    if (count % longestStep === 0) yield;
    const masked = mayBeApiKey(token, place) ? maskValue(token) : maskToken(token, place);
    if (masked === token) continue;
    parts.push(text.slice(end, index), masked);
    end = index + token.length;
  }
  parts.push(text.slice(end));
  return parts.join("");
}

function mayBeApiKey(token: string, place: Place): boolean {
  const isKey = place.apiKeys?.mayBeKey(token, readText(token)) === true;
  if (place.apiKeys?.hasEnded() === true) place.apiKeys = undefined;
  return isKey;
}

function maskToken(token: string, place: Place): string {
  if (token === ":") {
    if (place.isSecret || place.name === undefined) return token;
    if (place.name.toLowerCase() === "keys") place.apiKeys ??= scanApiKeys();
    place.isSecret = isSecretName(place.name);
    place.harmless = harmlessForms.get(place.name.toLowerCase());
    return token;
  }
  if (/^[{}[\],]$/.test(token)) {
    if (place.isSecret) leaveOrEnter(token, place);
    return token;
  }
  if (token.startsWith("/")) return token;
  const isText = token.startsWith('"');
  place.name = isText ? readText(token) : undefined;
  if (!place.isSecret) return isText ? maskTemplate(token) : token;
  if (place.depth === 0) place.isSecret = false;
  if (place.name !== undefined && place.harmless?.test(place.name) === true) return token;
  return maskValue(token);
}

function maskValue(token: string): string {
  if (/^(null|true|false)$/.test(token)) return token;
  return token.startsWith('"') ? `"${asterisks(token.slice(1, -1))}"` : asterisks(token);
}

/** The value of a secret is a whole list or object, or ends with what comes next. */
function leaveOrEnter(token: string, place: Place): void {
  if (token === "{" || token === "[") place.depth += 1;
  else if (token !== ",") place.depth -= 1;
  if (place.depth <= 0) Object.assign(place, { isSecret: false, depth: 0 });
}

function isSecretName(name: string): boolean {
  const key = name.toLowerCase();
  return secretKeys.has(key) || (looksSecret(name) && !harmlessKeys.has(key));
}

/** Where characters are escaped, it is unknown which of them belong to a value: then all of the query is masked. */
function maskTemplate(token: string): string {
  const meant = readText(token);
  if (token.length === meant.length + 2)
    return token.replaceAll(literalValues, asterisks).replaceAll(credentials, asterisks);
  return meant === maskMessage(meant) ? token : `"${asterisks(token.slice(1, -1))}"`;
}

function readText(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    return token.slice(1, -1);
  }
}

function asterisks(text: string): string {
  return "*".repeat(text.length);
}
