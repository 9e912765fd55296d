import type { IncomingMessage } from "node:http";
import type { ClaimValue, Identity } from "../../../../identity/identity.ts";
import type { Authenticator } from "../../authenticator.ts";

/** Whom a token stands for; undefined for one that is none, or ended. */
export type JudgeToken = (token: string) => ReturnType<Authenticator>;

/** How clients show their tokens, and whether those travel on. */
export type TokenCarriage = Readonly<{ forwards: boolean }>;

const bearer = /^bearer +([\w.~+/-]+=*)$/i;
const mostCharacters = 16_384;

/** Recognises clients by a token in `Authorization: Bearer`. */
export function createTokenScheme(judge: JudgeToken, { forwards }: TokenCarriage): Authenticator {
  return Object.assign(authenticateByToken, {
    challenge: (req: IncomingMessage) => (tokenOf(req) === undefined ? "Bearer" : 'Bearer error="invalid_token"'),
    reads: { headers: ["authorization"] },
    forwards,
  });

  function authenticateByToken(req: IncomingMessage): ReturnType<Authenticator> {
    const token = tokenOf(req);
    return token === undefined || token.length > mostCharacters ? undefined : judge(token);
  }
}

/** The one token that a request shows; one that is sent twice is none. */
function tokenOf({ headersDistinct: { authorization = [] } }: IncomingMessage): string | undefined {
  return authorization.length === 1 ? bearer.exec(authorization[0]!)?.[1] : undefined;
}

/** Claims as they came with a token. */
export type TokenClaims = Readonly<Record<string, unknown>>;

/** The identity that a token stands for: its issuer, and its subject or its client. */
export function identityOf(claims: TokenClaims, token: string): Identity {
  const { iss = "", sub, client_id: client } = claims;
  const subject = [sub, client].find((name): name is string => typeof name === "string" && name !== "");
  // Without this, an issuer whose name ends in the beginning of a subject would share ids with another one.
  const issuer = String(iss).replaceAll(/[% ]/g, encodeURIComponent);
  const id = subject === undefined ? "" : `${issuer} ${subject}`;
  return { id, claims: claims as Readonly<Record<string, ClaimValue>>, token };
}
