import { createHash, timingSafeEqual } from "node:crypto";
import { onlyLineOf } from "../../../headers/header-sent-once.ts";
import { type ClaimValue, createLasting } from "../../../identity/identity.ts";
import type { Authenticator } from "../authenticator.ts";

/** A key as the configuration has it: who shows it, and its SHA-256. */
type ApiKey = Readonly<{ Name: string; Sha256: string; Claims?: unknown }>;

/** The header that carries a key where the scheme names none. */
export const defaultHeader = "X-Api-Key";

/** Recognises clients by a key in a header; only digests are kept, and all of them are compared. */
export function createApiKeyScheme(keys: readonly ApiKey[], header = defaultHeader): Authenticator {
  const name = header.toLowerCase();
  const entries = keys.map(({ Name, Sha256, Claims }) => ({
    digest: Buffer.from(Sha256, "hex"),
    identity: createLasting(
      { id: Name, claims: { sub: Name, ...(Claims as Record<string, ClaimValue> | undefined) } },
      name,
    ),
  }));

  return Object.assign(authenticateByApiKey, {
    challenge: `ApiKey header="${header}"`,
    reads: { headers: [name] },
    forwards: false,
  });

  function authenticateByApiKey(req: Parameters<Authenticator>[0]): ReturnType<Authenticator> {
    // A credential that is sent twice is none.
    const shown = onlyLineOf(req, name);
    if (shown === undefined) return undefined;
    const digest = createHash("sha256").update(shown, "latin1").digest();
    let found: (typeof entries)[number] | undefined;
    for (const entry of entries) if (timingSafeEqual(entry.digest, digest)) found = entry;
    return found?.identity;
  }
}
