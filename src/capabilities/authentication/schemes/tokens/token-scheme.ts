import type { IncomingMessage } from "node:http";
import type { Identity } from "../../../../identity/identity.ts";
import type { Authenticator } from "../../authenticator.ts";
import { joinPlaces } from "../../credential-places.ts";
import type { TokenPlace } from "./token-places.ts";

/** Finds out whom tokens stand for. */
type TokenJudge<Known> = Readonly<{
  /** What is known of a token that was good a moment ago. */
  recall: (token: string) => Known | undefined;
  /** Undefined for a token that is none, or ended. */
  judge: (token: string, known: Known | undefined) => ReturnType<Authenticator>;
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
export function createTokenScheme<Known>(
  { judge, recall }: TokenJudge<Known>,
  { places, forwards, socketTolerance }: TokenCarriage,
): Authenticator {
  type Found = Readonly<{ token: string; place: TokenPlace; known: Known | undefined }>;
  return Object.assign(authenticateByToken, {
    challenge: (req: IncomingMessage) => (findToken(req) === undefined ? "Bearer" : 'Bearer error="invalid_token"'),
    reads: joinPlaces(places.map(({ reads }) => reads)),
    isFromCookie: (req: IncomingMessage) => findToken(req)?.place.reads.cookies !== undefined,
    socketEnd: ({ claims: { exp } }: Identity) =>
      typeof exp === "number" && socketTolerance !== undefined ? exp + socketTolerance : undefined,
    forwards,
  });

  function authenticateByToken(req: IncomingMessage): ReturnType<Authenticator> {
    const found = findToken(req);
    return found === undefined || isTooLong(found.token) ? undefined : judge(found.token, found.known);
  }

  function findToken(req: IncomingMessage): Found | undefined {
    for (const place of places) {
      const token = place.find(req);
      // A token that is known has been looked through, and takes less time to be found than to be looked through again.
      const known = token === undefined || isTooLong(token) ? undefined : recall(token);
      if (token !== undefined && (known !== undefined || wellFormed.test(token))) return { token, place, known };
    }
    return undefined;
  }
}

function isTooLong(token: string): boolean {
  return token.length > mostCharacters;
}
