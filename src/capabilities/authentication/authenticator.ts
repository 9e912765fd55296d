import type { IncomingMessage } from "node:http";
import type { Identity } from "../../identity/identity.ts";
import type { CredentialPlaces } from "./credential-places.ts";
import type { Route } from "../../route.ts";

/** What an authenticator is told besides the request; the signal says that nobody waits for it any more. */
export type AuthenticatorContext = Readonly<{ route: Route; signal: AbortSignal }>;

/**
 * Finds out who is asking; `undefined` where the request shows nothing that the scheme recognises. What it throws is a
 * failure: the request is refused with 503 unless another scheme succeeds.
 */
export type Authenticator = ((
  req: IncomingMessage,
  context: AuthenticatorContext,
) => Identity | undefined | Promise<Identity | undefined>) &
  Readonly<{
    /** What `WWW-Authenticate` says where nobody was recognised. */
    challenge?: string | ((req: IncomingMessage) => string);
    reads?: CredentialPlaces;
    /** Whether the verified credential travels on to the downstream, where it came in a header. */
    forwards?: boolean;
    /**
     * Whether a request shows who is asking by a cookie, which browsers send along for any page. By default it does where
     * it has one of the cookies that the scheme reads, or any at all where `reads` is not told.
     */
    isFromCookie?: (req: IncomingMessage) => boolean;
    /**
     * When a WebSocket ends that an identity has opened, in seconds since 1970; undefined for never. By default it ends at
     * the claim `exp`.
     */
    socketEnd?: (identity: Identity) => number | undefined;
  }>;
