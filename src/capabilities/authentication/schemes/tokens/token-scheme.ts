import type { IncomingMessage } from "node:http";
import { type ClaimValue, createLasting, type Identity } from "../../../../identity/identity.ts";
import type { Authenticator } from "../../authenticator.ts";
import { joinPlaces } from "../../credential-places.ts";
import type { TokenPlace } from "./token-places.ts";

/** Finds out whom tokens stand for. */
export type TokenJudge = Readonly<{
  /** Undefined for a token that is none, or ended. */
  judge: (token: string) => ReturnType<Authenticator>;
  /** Whether a token was good a moment ago. */
  knows: (token: string) => boolean;
}>;

/** How clients show their tokens, and whether those travel on. */
export type TokenCarriage = Readonly<{
  /** The first that holds a token counts. */
  places: readonly TokenPlace[];
  forwards: boolean;
  /** Seconds by which the end of a token may be past; undefined where WebSockets outlive their tokens. */
  socketTolerance: number | undefined;
}>;

/** Longer tokens are none. */
export const mostCharacters = 16_384;

const wellFormed = /^[\w.~+/-]+=*$/;

/** Recognises clients by a token. */
export function createTokenScheme(
  { judge, knows }: TokenJudge,
  { places, forwards, socketTolerance }: TokenCarriage,
): Authenticator {
  return Object.assign(authenticateByToken, {
    challenge: (req: IncomingMessage) => (findToken(req) === undefined ? "Bearer" : 'Bearer error="invalid_token"'),
    reads: joinPlaces(places.map(({ reads }) => reads)),
    isFromCookie: (req: IncomingMessage) => findToken(req)?.place.reads.cookies !== undefined,
    socketEnd: ({ claims: { exp } }: Identity) =>
      typeof exp === "number" && socketTolerance !== undefined ? exp + socketTolerance : undefined,
    forwards,
  });

  function authenticateByToken(req: IncomingMessage): ReturnType<Authenticator> {
    const token = findToken(req)?.token;
    return token === undefined || token.length > mostCharacters ? undefined : judge(token);
  }

  function findToken(req: IncomingMessage): Readonly<{ token: string; place: TokenPlace }> | undefined {
    for (const place of places) {
      const token = place.find(req);
      // A token that is known has been looked through, and takes less time to be found than to be looked through again.
      if (token !== undefined && (isKnown(token) || wellFormed.test(token))) return { token, place };
    }
    return undefined;
  }

  function isKnown(token: string): boolean {
    return token.length <= mostCharacters && knows(token);
  }
}

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
