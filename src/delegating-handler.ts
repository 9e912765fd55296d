import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { Logger } from "./logging/logger.ts";
import type { Route } from "./route.ts";

/** Headers as Node people know them: lower-case names; an array where a header is repeated. */
export type Headers = Record<string, string | string[]>;

/** What is taken for headers: web `Headers`, a `Map` and lists give them as pairs of a name and a value. */
export type GivenHeaders = Headers | Iterable<readonly [name: string, value: string | string[]]>;

/** What is about to be sent upstream; a delegating handler may assign every member. */
export type OutgoingRequest = {
  method: string;
  /** Scheme, host and port, e.g. `http://localhost:19081`. */
  origin: string;
  /** Path with query. */
  path: string;
  get headers(): Headers;
  set headers(headers: GivenHeaders);
  body: Readable | Buffer | null;
};

/** What the upstream answered; a delegating handler or a responder may assign every member. */
export type UpstreamResponse = {
  status: number;
  statusText: string;
  get headers(): Headers;
  set headers(headers: GivenHeaders);
  /** A stream made on first use. Assigning a body drops length, coding and ETag unless they are set again. */
  get body(): Readable;
  set body(body: Readable | Buffer | string | null);
};

/** The matched request, for delegating handlers and responders. */
export type GatewayContext = Readonly<{
  req: IncomingMessage;
  res: ServerResponse;
  route: Route;
  placeholders: Record<string, string>;
  /** Only where a `RequestIdKey` is configured. */
  requestId: string | undefined;
  /** Aborts when the client leaves. */
  signal: AbortSignal;
}>;

/** Wraps the call to the upstream: may change the request, the answer, or answer by itself. */
export type DelegatingHandler = (
  outgoing: OutgoingRequest,
  next: () => Promise<UpstreamResponse>,
  context: GatewayContext,
) => Promise<UpstreamResponse>;

/** What a responder is told when a gateway is made with it. */
export type ResponderStart = Readonly<{ routes: ReadonlyMap<string, Route>; logger: Logger }>;

/** Brings the answer to the client; `respond()` writes what stands in `upstream`. */
export type Responder = ((
  upstream: UpstreamResponse,
  context: GatewayContext,
  respond: () => Promise<void>,
) => void | Promise<void>) & {
  /** Called as soon as the route is known, before any middleware. */
  matched?: (context: GatewayContext) => void;
  /** Called when the gateway is made, and before each reload takes effect: for what can be computed, checked or warned of. */
  started?: (start: ResponderStart) => void;
};
