import type { IncomingMessage } from "node:http";
import type { JWTPayload } from "jose";
import type { ClaimValue, Identity } from "../../../../identity/identity.ts";
import type { Authenticator } from "../../authenticator.ts";
import { hasRequiredClaims, isWorthVerifying, type TokenRules } from "./judge-token.ts";
import type { KeySet } from "./key-set.ts";
import type { Jose } from "./load-jose.ts";
import { createRememberedTokens, type Verified } from "./remembered.ts";

/** What a scheme of tokens is made of. */
export type JwtSettings = Readonly<{
  rules: TokenRules;
  keys: KeySet;
  /** Seconds. */
  clockTolerance: number;
  forwards: boolean;
}>;

const bearer = /^bearer +([\w.~+/-]+=*)$/i;

/** Recognises clients by a signed token in `Authorization: Bearer`. */
export function createJwtScheme(
  { jwtVerify }: Jose,
  { rules, keys, clockTolerance, forwards }: JwtSettings,
): Authenticator {
  const remembered = createRememberedTokens();
  let keysVersion = keys.version();

  return Object.assign(authenticateByToken, {
    challenge: (req: IncomingMessage) => (tokenOf(req) === undefined ? "Bearer" : 'Bearer error="invalid_token"'),
    reads: { headers: ["authorization"] },
    forwards,
  });

  function authenticateByToken(req: IncomingMessage): ReturnType<Authenticator> {
    const token = tokenOf(req);
    if (token === undefined) return undefined;
    const known = recall(token);
    if (known !== undefined) return isCurrent(known, clockTolerance) ? known.identity : undefined;
    return isWorthVerifying(token, rules) ? verify(token) : undefined;
  }

  function recall(token: string): Verified | undefined {
    if (keysVersion !== keys.version()) {
      keysVersion = keys.version();
      remembered.forgetAll();
    }
    return remembered.find(token);
  }

  async function verify(token: string): Promise<Identity | undefined> {
    const payload = await verifiedPayload(token);
    if (payload === undefined || !hasRequiredClaims(payload, rules)) return undefined;
    const verified = { identity: identityOf(payload, token), notBefore: payload.nbf ?? 0, expires: payload.exp! };
    if (!isCurrent(verified, clockTolerance)) return undefined;
    // Keys that changed while the signature was computed may have lost this one.
    if (recall(token) === undefined) remembered.keep(token, verified);
    return verified.identity;
  }

  async function verifiedPayload(token: string): Promise<JWTPayload | undefined> {
    try {
      const { payload } = await jwtVerify(token, keys.find, {
        algorithms: [...rules.algorithms],
        clockTolerance,
        requiredClaims: ["exp"],
        ...(rules.issuer === undefined ? {} : { issuer: rules.issuer }),
        ...(rules.audiences === undefined ? {} : { audience: [...rules.audiences] }),
      });
      return payload;
    } catch (error) {
      if (isFaultOfToken(error)) return undefined;
      throw error;
    }
  }
}

/** Compared at each use: a remembered token ends as any other does. */
function isCurrent({ notBefore, expires }: Verified, clockTolerance: number): boolean {
  const now = Date.now() / 1_000;
  return now < expires + clockTolerance && now >= notBefore - clockTolerance;
}

/** The one token that a request shows; one that is sent twice is none. */
function tokenOf({ headersDistinct: { authorization = [] } }: IncomingMessage): string | undefined {
  return authorization.length === 1 ? bearer.exec(authorization[0]!)?.[1] : undefined;
}

function identityOf(payload: JWTPayload, token: string): Identity {
  const { iss = "", sub, client_id: client } = payload;
  const subject = sub ?? (typeof client === "string" ? client : undefined);
  const id = subject === undefined ? "" : `${iss} ${subject}`;
  return { id, claims: payload as Readonly<Record<string, ClaimValue>>, token };
}

/** Errors of jose have such codes; any other says that the keys could not be had. */
function isFaultOfToken(error: unknown): boolean {
  const { code } = error as Readonly<{ code?: unknown }>;
  return typeof code === "string" && /^ERR_(J|OKP)/.test(code);
}
