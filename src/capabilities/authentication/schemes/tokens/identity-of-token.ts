import { type ClaimValue, createLasting, type Identity } from "../../../../identity/identity.ts";

/** Claims as they came with a token. */
export type TokenClaims = Readonly<Record<string, unknown>>;

const apart = /[% ]/g;

/** The identity that a token stands for: its issuer, and its subject or its client. */
export function identityOf(claims: TokenClaims, token: string): Identity {
  const { iss = "", sub, client_id: client } = claims;
  const subject = [sub, client].find((name): name is string => typeof name === "string" && name !== "");
  // Without this, an issuer whose name ends in the beginning of a subject would share ids with another one.
  const issuer = String(iss).replace(apart, encodeURIComponent);
  const id = subject === undefined ? "" : `${issuer} ${subject}`;
  return createLasting({ id, claims: claims as Readonly<Record<string, ClaimValue>>, token });
}
