/** A value of a claim, as tokens hold them. */
export type ClaimValue =
  string | number | boolean | null | readonly ClaimValue[] | { readonly [name: string]: ClaimValue };

/** Who is asking, as an authenticator has found out. */
export type Identity = Readonly<{
  /** Who it is among all whom the scheme knows. */
  id: string;
  claims: Readonly<Record<string, ClaimValue>>;
  /** The credential that was verified, for schemes that have one. */
  token?: string;
}>;

/** An identity, and the scheme that has found it out: `res.locals.identity`, frozen deeply. */
export type RecognisedIdentity = Identity & Readonly<{ scheme: string }>;
