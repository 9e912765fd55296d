import type { GatewayContext, OutgoingRequest } from "../delegating-handler.ts";
import type { ShownIdentity } from "../identity/pseudonym.ts";
import type { Route } from "../route.ts";
import type { GatewayChange } from "./gateway-changes.ts";
import type { ObservablePart } from "./observable-part.ts";
import type { ObservedGateway } from "./observed-gateway.ts";

/** What a cache did for a request: it gave the answer again, let the service be asked, or was passed by. */
export type CacheResult = "hit" | "miss" | "bypass";

/** What became of one request; secrets in its texts are masked. */
export type RequestRecord = Readonly<{
  route: Route;
  /** Only where a `RequestIdKey` is configured. */
  requestId: string | undefined;
  /** Who was let in; undefined where nobody was asked for, or recognised. */
  identity: ShownIdentity | undefined;
  method: string;
  /** Path and query as the client asked, below the mount path. */
  path: string;
  mountPath: string;
  /** Where it was sent last; undefined when it was not. */
  target: string | undefined;
  /** What was sent; where no head was, the status of the side that gave up: 499 where that is the client. */
  status: number;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Milliseconds from the match to the end of the answer. */
  duration: number;
  /** Milliseconds from the match to the head of the upstream's answer; undefined when there was none. */
  answeredAfter: number | undefined;
  /** Bytes of the request's body that were read. */
  received: number;
  /** Bytes that went to the client, the head included. */
  sent: number;
  /** What the cache did; undefined where the route has none, or was not asked. */
  cache: CacheResult | undefined;
  /** How often it was sent once more, as `Retry` of its route asks for; undefined when it was not. */
  retries: number | undefined;
  /** The stable code of what went wrong; undefined when nothing did. */
  error: string | undefined;
}>;

/** What became of one call of an aggregate's part; secrets in its texts are masked. */
export type PartRecord = Pick<
  RequestRecord,
  "requestId" | "method" | "target" | "startedAt" | "cache" | "retries" | "error"
> &
  Readonly<{
    /** That of the part. */
    route: Route;
    aggregate: Route;
    /** Who was let in to the part; undefined where nobody was asked for, or recognised. */
    identity: ShownIdentity | undefined;
    /** Of its answer, or of what it failed with or was refused with. */
    status: number;
    /** Milliseconds until the head of its answer was there: its body is read only as the client takes the whole. */
    duration: number;
  }>;

/** What an observer sees of one call of an aggregate's part. */
export type ObservedPart = Readonly<{
  /** As that of a request. */
  sending?: (outgoing: OutgoingRequest) => void;
  /** Called once, when the head of the answer is there, or when the call has failed or was refused. */
  ended?: (record: PartRecord) => void;
  /** Called instead where it is not sent, as another part has refused the client. */
  left?: () => void;
}>;

/** What an observer sees of one request. */
export type ObservedRequest = Readonly<{
  /** Called before the request is sent, with a copy of it; what is set in its headers is sent, and nothing else. */
  sending?: (outgoing: OutgoingRequest) => void;
  /** Called once, when the answer is complete or broken off, or the WebSocket is open. */
  ended: (record: RequestRecord) => void;
  /** Called instead, when middleware lets the request leave the gateway for the rest of the app. */
  left?: () => void;
  /** Called for each call of a part, where the request is for an aggregate; `undefined` when it is of no interest. */
  part?: (context: GatewayContext) => ObservedPart | null | undefined;
}>;

/** Watches the requests that routes match, and what else changes. */
export type RequestObserver = Readonly<{
  /** Called for each request; `undefined` when it is of no interest. */
  begin: (context: GatewayContext) => ObservedRequest | null | undefined;
  /** Called when something has changed that is no request, such as whether a store is there. */
  changed?: (change: GatewayChange) => void;
  /** Called as a gateway is made, with what can be looked at from then on; what comes back is called as it closes. */
  attached?: (gateway: ObservedGateway) => (() => void) | undefined;
}>;

/** How the stages of one request tell what happens to it. */
export type Observation = Readonly<{
  sending: (outgoing: OutgoingRequest) => void;
  retried: () => void;
  recognised: (identity: ShownIdentity) => void;
  cached: (result: CacheResult) => void;
  answered: () => void;
  failed: (code: string) => void;
  ended: () => void;
  left: () => void;
  /** Begins to watch the call of a part. */
  part: (call: ObservablePart) => PartObservation | undefined;
}>;

/** How the stages of a part's call tell what happens to it; where it ends before it is settled, it is left. */
export type PartObservation = Observation &
  Readonly<{
    /** All parts have let the client in, and this one is about to be asked. */
    begun: () => void;
    /** The head of an answer is there, or an error that stands for one. */
    settled: (status: number) => void;
  }>;
