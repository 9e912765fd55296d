import { generateKeyPairSync } from "node:crypto";
import type { Adapter, AdapterPayload, Configuration } from "oidc-provider";

/** What an OpenID provider keeps its tokens in: without a place of its own it warns that it forgets them. */
export function createTokenStorage(): () => Adapter {
  const kept = new Map<string, AdapterPayload>();
  const storage: Adapter = {
    upsert: (id, payload) => Promise.resolve(void kept.set(id, payload)),
    find: (id) => Promise.resolve(kept.get(id)),
    destroy: (id) => Promise.resolve(void kept.delete(id)),
    findByUserCode: nothing,
    findByUid: nothing,
    consume: nothing,
    revokeByGrantId: nothing,
  };
  return () => storage;
}

/** A key of its own for a provider whose signatures nobody looks at. */
export function createSigningKey(): Pick<Configuration, "jwks" | "clientDefaults"> {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "ES256" }] },
    clientDefaults: { id_token_signed_response_alg: "ES256" },
  };
}

function nothing(): Promise<undefined> {
  return Promise.resolve(undefined);
}
