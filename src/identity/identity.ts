/** A value of a claim, as tokens hold them; an integer that a number cannot hold is a `bigint`. */
export type ClaimValue =
  string | number | bigint | boolean | null | readonly ClaimValue[] | { readonly [name: string]: ClaimValue };

/** Who is asking, as an authenticator has found out. */
export type Identity = Readonly<{
  /** Who it is among all whom the scheme knows; empty where it does not tell. */
  id: string;
  claims: Readonly<Record<string, ClaimValue>>;
  /** The credential that was verified, for schemes that have one. */
  token?: string;
}>;

/** An identity, and the scheme that has found it out: `res.locals.identity`, frozen deeply. */
export type RecognisedIdentity = Identity & Readonly<{ scheme: string }>;

/** Whether what an authenticator gave is an identity. */
export function isIdentity(value: unknown): value is Identity {
  if (typeof value !== "object" || value === null) return false;
  const { id, claims, token } = value as Partial<Record<keyof Identity, unknown>>;
  const hasToken = token === undefined || typeof token === "string";
  return typeof id === "string" && typeof claims === "object" && claims !== null && hasToken;
}

const lasting = new WeakSet<Identity>();
const recognised = new WeakMap<Identity, RecognisedIdentity>();

/** An identity that never changes, so that it is looked at once however often its credential is shown; frozen deeply. */
export function createLasting(identity: Identity): Identity {
  lasting.add(deepFreeze(identity));
  return identity;
}

/** An identity with the name of its scheme, frozen deeply. One that may change is taken as it is at this moment. */
export function createRecognised(identity: Identity, scheme: string): RecognisedIdentity {
  const isLasting = lasting.has(identity);
  const known = isLasting ? recognised.get(identity) : undefined;
  if (known?.scheme === scheme) return known;
  const { id, claims, token } = identity;
  const made = deepFreeze({ id, claims: structuredClone(claims), ...(token === undefined ? {} : { token }), scheme });
  if (isLasting) recognised.set(identity, made);
  return made;
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
