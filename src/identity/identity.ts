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

/** Identities that never change, and what they were when a scheme last recognised them. */
const lasting = new WeakMap<Identity, { recognised: RecognisedIdentity | undefined }>();

/** An identity that never changes, so that it is looked at once however often its credential is shown; frozen deeply. */
export function createLasting(identity: Identity): Identity {
  lasting.set(deepFreeze(identity), { recognised: undefined });
  return identity;
}

/** An identity with the name of its scheme, frozen deeply. One that may change is taken as it is at this moment. */
export function createRecognised(identity: Identity, scheme: string): RecognisedIdentity {
  const known = lasting.get(identity);
  if (known?.recognised?.scheme === scheme) return known.recognised;
  const { id, claims, token } = identity;
  const told = token === undefined ? { id, scheme } : { id, token, scheme };
  if (known === undefined) return deepFreeze({ ...told, claims: structuredClone(claims) });
  known.recognised = Object.freeze({ ...told, claims });
  memories.set(known.recognised, { found: undefined });
  return known.recognised;
}

/** What was found out about recognised identities that never change, by the function that has found it. */
const memories = new WeakMap<Identity, { found: Map<unknown, unknown> | undefined }>();

// A key of an API lasts as long as its scheme, and may open thousands of routes, over many reloads.
const mostFound = 8;

/** Finds the same only once for an identity that never changes; `find` looks at nothing but the identity. */
export function rememberPerIdentity<Found>(find: (identity: Identity) => Found): (identity: Identity) => Found {
  return function findOnce(identity) {
    const memory = memories.get(identity);
    if (memory === undefined) return find(identity);
    const known = memory.found?.get(find);
    if (known !== undefined) return known as Found;
    const found = find(identity);
    memory.found ??= new Map();
    if (memory.found.size === mostFound) memory.found.clear();
    memory.found.set(find, found);
    return found;
  };
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
