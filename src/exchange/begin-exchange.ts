import type { IncomingMessage, ServerResponse } from "node:http";
import type { KeptHead } from "../answers/kept-head.ts";
import { type Cancellation, createCancellation, exchangeIsOver } from "../cancellation.ts";
import type { GatewayContext } from "../delegating-handler.ts";
import type { CompiledRoute } from "../compiling/compile-routes.ts";
import type { RecognisedIdentity } from "../identity/identity.ts";
import type { Logger } from "../logging/logger.ts";
import type { MatchedRequest } from "../routing/match-request.ts";
import type { Observation } from "../observing/observer.ts";
import type { ForwardableRequest } from "../forwarding/forward.ts";
import { readFraming } from "../bodies/request-framing.ts";
import { cleanIncomingHeaders } from "../headers/incoming-headers.ts";
import { findUpgrade, type UpgradeRequest } from "../capabilities/websockets/upgrade-request.ts";
import { mountPathOf } from "./mount-path.ts";
import { type SetHeaders, trimDistinct } from "./restore-headers.ts";
import { assignRequestId } from "../capabilities/request-ids/assign-request-id.ts";

/** A matched request on its way through the gateway. */
export type Exchange = ForwardableRequest &
  Readonly<{
    compiled: CompiledRoute;
    /** Only where a WebSocket is asked for, and the route has them. */
    upgrade: UpgradeRequest | undefined;
    /** Whether the client asked for trailers. */
    wantsTrailers: boolean;
    /** Parameters of the path below which the gateway is mounted, as Express has decoded them. */
    mountParams: Readonly<Record<string, unknown>> | undefined;
    peerIsTrusted: boolean;
    /** `headersDistinct` as it was, where the match has changed it. */
    foundDistinct: IncomingMessage["headersDistinct"] | undefined;
    /** What the response had as its request id before the match. */
    earlierId: ReturnType<ServerResponse["getHeader"]>;
    /** Takes back locals and params that the match has set. */
    restore: () => void;
  }> & {
    /** What a responder has set when it heard of the match, as far as anybody may want to take it back. */
    announced: SetHeaders | undefined;
    /** Who is asking, once a scheme has found it out. */
    identity: RecognisedIdentity | undefined;
    /** Only where somebody watches. */
    observation: Observation | undefined;
    /** What stood on the response before the answer came; put back when that cannot be given. */
    keptHead: KeptHead | undefined;
    /** Whether its failure has been dealt with. */
    hasFailed: boolean;
  };

type LooseRequest = IncomingMessage & { params?: Record<string, unknown> };
type LooseResponse = ServerResponse & { locals?: Record<string, unknown> };

/** What all exchanges of a gateway have in common. */
export type ExchangeSurroundings = Readonly<{
  /** Whether the peer of a request may say who the client is. */
  isTrusted: (req: IncomingMessage) => boolean;
  logger: Logger;
}>;

/** Sets what middleware sees of a match, and removes from the request what is not the client's to say. */
export function beginExchange(
  { match, target }: MatchedRequest<CompiledRoute>,
  req: IncomingMessage,
  res: ServerResponse,
  { isTrusted, logger }: ExchangeSurroundings,
): Exchange {
  const { value: compiled, placeholders } = match;
  const { headers: given } = req;
  const framing = readFraming(given);
  const wantsTrailers = given.te !== undefined && /\btrailers\b/i.test(String(given.te));
  const peerIsTrusted = isTrusted(req);
  const { headers, dropped } = cleanIncomingHeaders(req, { peerIsTrusted, compared: compiled.compared });
  req.headers = headers;
  const foundDistinct = trimDistinct(req, dropped);
  const earlierId = compiled.requestIdKey === undefined ? undefined : res.getHeader(compiled.requestIdKey);
  const requestId = compiled.requestIdKey === undefined ? undefined : assignRequestId(req, res, compiled.requestIdKey);
  const cancellation = createCancellation(logger);
  return {
    compiled,
    upgrade: compiled.upgradeRules === undefined ? undefined : findUpgrade(req),
    framing,
    wantsTrailers,
    cancellation,
    mountPath: mountPathOf(req),
    mountParams: (req as LooseRequest).params,
    given,
    dropped,
    peerIsTrusted,
    foundDistinct,
    earlierId,
    announced: undefined,
    identity: undefined,
    matched: {
      values: { captured: { ...placeholders }, current: placeholders },
      path: match.path,
      query: target.query,
    },
    context: createContext({ req, res, route: compiled.route, placeholders, requestId }, cancellation),
    observation: undefined,
    keptHead: undefined,
    hasFailed: false,
    restore: expose(req, res, { route: compiled.route, placeholders, requestId }),
  };
}

const cancellationOf = Symbol("cancellation");
const signalOf = Symbol("signal");

type LazyContext = GatewayContext & { [cancellationOf]: Cancellation; [signalOf]: AbortSignal | undefined };

/** The signal is made only for who asks for it; the accessor is shared, as each one made anew costs a hidden class. */
const contextPrototype: Pick<GatewayContext, "signal"> & ThisType<LazyContext> = {
  get signal() {
    return (this[signalOf] ??= createSignal(this[cancellationOf]));
  },
};

function createContext(
  { req, res, route, placeholders, requestId }: Omit<GatewayContext, "signal">,
  cancellation: Cancellation,
): GatewayContext {
  const context = Object.create(contextPrototype) as { -readonly [Name in keyof LazyContext]: LazyContext[Name] };
  context.req = req;
  context.res = res;
  context.route = route;
  context.placeholders = placeholders;
  context.requestId = requestId;
  context[cancellationOf] = cancellation;
  context[signalOf] = undefined;
  return context;
}

function createSignal({ onCancel }: Cancellation): AbortSignal {
  const controller = new AbortController();
  onCancel((reason) => {
    if (reason !== exchangeIsOver) controller.abort(reason);
  });
  return controller.signal;
}

type ExposedLocals = Readonly<{ route: unknown; placeholders: Record<string, string>; requestId: string | undefined }>;

function expose(req: LooseRequest, res: LooseResponse, exposed: ExposedLocals): () => void {
  const { params } = req;
  const { locals: given } = res;
  const locals = (res.locals ??= {});
  const { route, placeholders, requestId, identity } = locals;
  // Whatever stands there is not what the route's schemes have found out.
  if (identity !== undefined) delete locals.identity;
  locals.route = exposed.route;
  locals.placeholders = exposed.placeholders;
  if (exposed.requestId !== undefined) locals.requestId = exposed.requestId;
  req.params = addDecoded({ ...params }, exposed.placeholders);

  return function restore() {
    putBack(locals, { route, placeholders, requestId, identity });
    putBack(res, { locals: given });
    putBack(req, { params });
  };
}

/** What was not there before is not there afterwards. */
function putBack(owner: object, before: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) Reflect.deleteProperty(owner, name);
    else Reflect.set(owner, name, value);
  }
}

function addDecoded(
  params: Record<string, unknown>,
  placeholders: Readonly<Record<string, string>>,
): Record<string, unknown> {
  for (const name in placeholders) params[name] = decodeOrKeep(placeholders[name]!);
  return params;
}

function decodeOrKeep(value: string): string {
  if (!value.includes("%")) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
