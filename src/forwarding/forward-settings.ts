import type { BodiesWithCode } from "../bodies/with-code/bodies-with-code.ts";
import type { OwnBytes } from "../bodies/parsed/room-for-copies.ts";
import type { Cancellation } from "../cancellation.ts";
import type { DelegatingHandler, OutgoingRequest, UpstreamResponse } from "../delegating-handler.ts";
import type { HostSeeker } from "../hosts/balancer.ts";
import type { RouteHosts } from "../hosts/route-hosts.ts";
import type { AskingRequest, Call, SendingWatch } from "./call.ts";
import type { DownstreamPath, MatchedTarget } from "./resolve-path.ts";
import type { Surrounding } from "./surround.ts";

/** How a route's requests go upstream. */
export type ForwardSettings<Request = ForwardableRequest> = Readonly<{
  resolvePath: (matched: MatchedTarget) => DownstreamPath;
  hosts: RouteHosts;
  send: (call: Call) => Promise<UpstreamResponse>;
  /** Whether `send` follows redirects. */
  followsRedirects: boolean;
  /** What policies make of the target, and of the request that is sent, before any handler sees it. */
  targetChanges: readonly ((target: MatchedTarget, request: Request) => MatchedTarget)[];
  requestChanges: readonly ((outgoing: OutgoingRequest, request: Request) => void)[];
  /** What stands around the choice of a host, and what around the sending alone. */
  aroundHost: readonly Surrounding<Request>[];
  aroundSending: readonly Surrounding<Request>[];
  handlers: readonly DelegatingHandler[];
  /** Whether a responder of the user's gets the answers. */
  hasResponder: boolean;
  /** Replaces the client's method. */
  method: string | undefined;
  bodyLimit: number | undefined;
  via: boolean;
  /** Names in lower case of headers that the route compares or sets. */
  compared: ReadonlySet<string>;
}>;

/** A matched request whose middleware is done. */
export type ForwardableRequest = Readonly<{
  matched: MatchedTarget;
  mountPath: string;
  /** Those of them that were dropped when the route matched. */
  dropped: readonly string[] | undefined;
  cancellation: Cancellation;
  observation: SendingWatch | undefined;
  /** Only of a part: copies bytes for its handlers that other parts send, too. */
  ownBytes?: OwnBytes;
}> & {
  /** Only where user code gets the answers. */
  bodiesWithCode?: BodiesWithCode | undefined;
} & HostSeeker &
  AskingRequest;
