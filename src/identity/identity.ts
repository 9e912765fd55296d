import { createPrivateMember } from "./private-member.ts";

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

/** What is remembered of an identity that never changes. */
type Memory = {
  /** The header, in lower case, that the credential is always read from; undefined where nobody knows. */
  readonly header: string | undefined;
  /** What it was when a scheme last recognised it. */
  recognised: RecognisedIdentity | undefined;
  /** What was found out about it, by the function that has found it. */
  found: Map<unknown, unknown> | undefined;
};

const memories = createPrivateMember<Memory>();

/**
 * An identity that never changes, so that it is looked at once however often its credential is shown; frozen deeply. Where
 * that always stands in the same header, its name is given in lower case.
 */
export function createLasting(identity: Identity, header?: string): Identity {
  return deepFreeze(withMemory(identity, header));
}

function withMemory<Lasting extends Identity>(identity: Lasting, header: string | undefined): Lasting {
  memories.giveTo(identity, { header, recognised: undefined, found: undefined });
  return identity;
}

/** An identity with the name of its scheme, frozen deeply. One that may change is taken as it is at this moment. */
export function createRecognised(identity: Identity, scheme: string): RecognisedIdentity {
  const memory = memories.of(identity);
  if (memory?.recognised?.scheme === scheme) return memory.recognised;
  const { id, claims, token } = identity;
  const told = token === undefined ? { id, scheme } : { id, token, scheme };
  if (memory === undefined) return deepFreeze({ ...told, claims: structuredClone(claims) });
  memory.recognised = Object.freeze(withMemory({ ...told, claims }, memory.header));
  return memory.recognised;
}

/** The header, in lower case, that the credential of an identity is always read from; undefined where nobody knows. */
export function headerOfCredential(identity: Identity): string | undefined {
  return memories.of(identity)?.header;
}

// A key of an API lasts as long as its scheme, and may open thousands of routes, over many reloads.
const mostFound = 8;

/** Finds the same only once for an identity that never changes; `find` looks at nothing but the identity. */
export function rememberPerIdentity<Found>(find: (identity: Identity) => Found): (identity: Identity) => Found {
  return function findOnce(identity) {
    const memory = memories.of(identity);
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

function deepFreeze<Value extends object>(value: Value): Value {
  for (const member of Object.values<unknown>(Object.freeze(value))) {
    if (typeof member === "object" && member !== null) deepFreeze(member);
  }
  return value;
}
