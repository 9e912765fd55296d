import { createJsonFetcher, type FetchJson, showAddress } from "../tokens/fetch-json.ts";
import type { KeySource } from "./key-fetching.ts";
import { byAlgorithm, createKeyFinder } from "./key-finder.ts";
import { createFixedKeys, createKeySet } from "./kept-keys.ts";
import type { Jose } from "./load-jose.ts";
import { asymmetric, readKeyFile, type SchemeKeys } from "./read-key-file.ts";

/** Where the keys of a scheme come from: exactly one of these. */
type KeyOrigin = Readonly<{
  issuer: string | undefined;
  jwksUri: string | undefined;
  keyFile: string | undefined;
  secret: string | undefined;
}>;

const mostBytes = 1_048_576;

/** Prepares the keys of a scheme; those of an issuer are fetched when the first token comes. */
export function createSchemeKeys(jose: Jose, origin: KeyOrigin, terms: Pick<KeySource, "maxAge" | "tell">): SchemeKeys {
  if (origin.secret !== undefined) {
    const secret = Buffer.from(origin.secret);
    return {
      keys: createFixedKeys(createKeyFinder(() => secret, byAlgorithm)),
      algorithms: ["HS256", "HS384", "HS512"],
    };
  }
  if (origin.keyFile !== undefined) return readKeyFile(jose, origin.keyFile);
  const { issuer = "", jwksUri } = origin;
  const fetchJson = createJsonFetcher();
  const fetchKeys = async (): Promise<unknown> =>
    fetchJson(jwksUri ?? (await discoverKeys(issuer, fetchJson)), { mostBytes });
  return { keys: createKeySet(jose, { fetchKeys, ...terms }), algorithms: asymmetric };
}

/** The address of an issuer's keys, from its discovery document, which must be its own; of TLS wherever the issuer has it. */
async function discoverKeys(issuer: string, fetchJson: FetchJson): Promise<string> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const { issuer: told, jwks_uri: keys } = ((await fetchJson(url, { mostBytes })) ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const shown = showAddress(url);
  if (told !== issuer) throw new Error(`${shown} is the document of another issuer.`);
  if (typeof keys !== "string" || !URL.canParse(keys)) throw new Error(`${shown} names no keys (jwks_uri).`);
  const { protocol, username, password } = new URL(keys);
  if (protocol !== "https:" && new URL(issuer).protocol === "https:") {
    throw new Error(`${shown} names keys at ${showAddress(keys)}, which is not asked: expected https.`);
  }
  if (username !== "" || password !== "") throw new Error(`${shown} names keys with a password in their address.`);
  return keys;
}
