import { createPublicKey, type KeyObject } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { GatewayError } from "../../../../errors.ts";
import { fetchJson } from "../tokens/fetch-json.ts";
import { createFixedKeys, createKeySet, type FindKey, type KeySet } from "./key-set.ts";
import type { Jose } from "./load-jose.ts";
import { readKeys } from "./read-keys.ts";

/** Where the keys of a scheme come from: exactly one of these. */
export type KeyOrigin = Readonly<{
  issuer: string | undefined;
  jwksUri: string | undefined;
  keyFile: string | undefined;
  secret: string | undefined;
}>;

/** The keys of a scheme, and the algorithms that fit them. */
export type SchemeKeys = Readonly<{ keys: KeySet; algorithms: readonly string[] }>;

const mostBytes = 1_048_576;

const rsa = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"];
const curves = ["ES256", "ES384", "ES512"];
const edwards = ["EdDSA", "Ed25519"];
const asymmetric = [...rsa, ...curves, ...edwards];
const algorithmsByType: Readonly<Record<string, readonly string[]>> = {
  rsa,
  "rsa-pss": rsa,
  ec: curves,
  ed25519: edwards,
};

const leastBits = 2_048;

/** Prepares the keys of a scheme; those of an issuer are fetched when the first token comes. */
export function createSchemeKeys(jose: Jose, origin: KeyOrigin, maxAge: number): SchemeKeys {
  if (origin.secret !== undefined) {
    const secret = Buffer.from(origin.secret);
    return { keys: createFixedKeys(() => secret), algorithms: ["HS256", "HS384", "HS512"] };
  }
  if (origin.keyFile !== undefined) return readKeyFile(jose, origin.keyFile);
  const { issuer = "", jwksUri } = origin;
  const fetchKeys = async (): Promise<unknown> => fetchJson(jwksUri ?? (await discoverKeys(issuer)), { mostBytes });
  return { keys: createKeySet(jose, { fetchKeys, maxAge }), algorithms: asymmetric };
}

/** The address of an issuer's keys, from its discovery document, which must be its own. */
async function discoverKeys(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const { issuer: told, jwks_uri: keys } = ((await fetchJson(url, { mostBytes })) ?? {}) as Readonly<
    Record<string, unknown>
  >;
  if (told !== issuer) throw new Error(`${url} is the document of another issuer.`);
  if (typeof keys !== "string") throw new Error(`${url} names no keys (jwks_uri).`);
  return keys;
}

function readKeyFile(jose: Jose, path: string): SchemeKeys {
  try {
    // A pipe would hold up everybody until somebody writes into it.
    if (!statSync(path).isFile()) throw new Error("It is no file.");
    const text = readFileSync(path, "utf8");
    if (!text.includes("-----BEGIN")) {
      const find: FindKey = jose.createLocalJWKSet(readKeys(JSON.parse(text)));
      return { keys: createFixedKeys(find), algorithms: asymmetric };
    }
    if (text.includes("PRIVATE KEY")) throw new Error("It holds a private key, which only the issuer should have.");
    return ofPublicKey(createPublicKey(text));
  } catch (error) {
    throw new GatewayError("option-invalid", `The "KeyFile" ${JSON.stringify(path)} cannot be used: ${String(error)}`, {
      cause: error,
    });
  }
}

function ofPublicKey(key: KeyObject): SchemeKeys {
  const algorithms = algorithmsByType[key.asymmetricKeyType ?? ""];
  if (algorithms === undefined) throw new Error(`Keys of type ${String(key.asymmetricKeyType)} sign no tokens.`);
  const { modulusLength = leastBits } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < leastBits)
    throw new Error(`An RSA key of ${modulusLength} bits is too short: ${leastBits} are needed.`);
  return { keys: createFixedKeys(() => key), algorithms };
}
