import type { IncomingMessage, ServerResponse } from "node:http";
import type { PartCalls } from "../aggregates/part-call.ts";
import type { PeerTrust } from "../addresses/trusted-peers.ts";
import type { KeptHead } from "../answers/restore-head.ts";
import type { UpgradeRequest } from "../capabilities/websockets/upgrade-request.ts";
import type { GatewayError } from "../errors.ts";
import type { NotesOfShortened } from "../headers/shortened-headers.ts";
import type { RecognisedIdentity } from "../identity/identity.ts";
import type { ForwardableRequest } from "../forwarding/forward-settings.ts";
import type { Observation } from "../observing/observer.ts";
import type { HoldPlace, LimitedRoute } from "./calls-without-client.ts";
import type { SetHeaders } from "./restore-headers.ts";

/** A client's guess at credentials, for the limit that counts guesses. */
export type Guess = {
  /** Whether a scheme was shown a credential, or none at all, and recognised nobody. */
  isWrong: boolean;
  /** Only while schemes are being asked; resolves once it is known what came of it. */
  question: Promise<void> | undefined;
  /** Only of one that has waited for others; resolves to its refusal once it has waited for as long as it may. */
  refusalInTime: Promise<GatewayError> | undefined;
};

/** A matched request on its way through the gateway, as the capabilities of its route see it. */
export type MatchedExchange = ForwardableRequest &
  NotesOfShortened &
  Readonly<{
    compiled: LimitedRoute;
    holdPlace: HoldPlace;
    /** Only where the client asks for a WebSocket, and the route has WebSockets. */
    upgrade: UpgradeRequest | undefined;
    /** Whether the client asked for trailers. */
    wantsTrailers: boolean;
    /** Whether other code than the gateway's sees the response before the answer is written. */
    isSeen: boolean;
    /** Parameters of the path below which the gateway is mounted, as Express has decoded them. */
    mountParams: Readonly<Record<string, unknown>> | undefined;
    /** Who may say who the client is, and whether the peer may. */
    peers: PeerTrust;
    peerIsTrusted: boolean;
    /** How long an upload may stand still; milliseconds. */
    uploadLimit: number;
    /** What the response had as its request id before the match. */
    earlierId: ReturnType<ServerResponse["getHeader"]>;
    /** What Node has noted about a body by the time of the match. */
    notedBody: unknown;
  }> & {
    dropped: readonly string[] | undefined;
    /** The client's headers that are gone since the match, and come back where the request leaves the gateway. */
    withheld: readonly string[] | undefined;
    /** `headersDistinct` as it was, where something was taken from it. */
    foundDistinct: IncomingMessage["headersDistinct"] | undefined;
    /**
     * The headers that a responder has set when it heard of the match; kept where middleware may let the request leave.
     */
    announced: SetHeaders | undefined;
    /** Headers that the answer tells, whatever it is; those of them that are not on the response yet. */
    told: Readonly<Record<string, string>> | undefined;
    /** Takes back what the match and the guards have set on the request and on its response. */
    restore: () => void;
    /** Only of an aggregate, once its parts are admitted. */
    parts: PartCalls | undefined;
    /** Only where guesses are counted: what the schemes say matters then, though the client may have left. */
    guess: Guess | undefined;
    /** The client's identity, once a scheme has recognised it. */
    identity: RecognisedIdentity | undefined;
    /** Only of an aggregate and of its parts, which have one list: whom schemes and middleware of any part have found. */
    foundByParts?: unknown[];
    /** Only where there are observers. */
    observation: Observation | undefined;
    /** The head of the response before the answer came; put back when the answer cannot be written. */
    keptHead: KeptHead | undefined;
    /** Its answer has begun, though middleware may keep it back; only noted where middleware could. */
    hasBegun?: true;
    /** Whether a failure of the exchange has been dealt with. */
    hasFailed: boolean;
    /** User code has the response, and may write to it as late as it likes; only noted where that matters. */
    isWithUserCode?: true;
  };
