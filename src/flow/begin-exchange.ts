import type { IncomingMessage, ServerResponse } from "node:http";
import { type Cancellation, createCancellation } from "../cancellation.ts";
import type { GatewayContext } from "../exchange.ts";
import type { CompiledRoute } from "../generation/compile-routes.ts";
import type { MatchedRequest } from "../match/match-request.ts";
import type { Observation } from "../observer.ts";
import type { ForwardableRequest } from "../proxy/forward.ts";
import { readFraming } from "../proxy/framing.ts";
import { cleanIncomingHeaders } from "../proxy/incoming-headers.ts";
import { findUpgrade, type UpgradeRequest } from "../upgrade-request.ts";
import { mountPathOf } from "./mount-path.ts";
import { assignRequestId } from "./request-id.ts";

/** A matched request on its way through the gateway. */
export type Exchange = ForwardableRequest &
  Readonly<{
    compiled: CompiledRoute;
    /** Only where a WebSocket is asked for, and the route has them. */
    upgrade: UpgradeRequest | undefined;
    /** Whether the client asked for trailers. */
    wantsTrailers: boolean;
    /** Takes back what the match has set, for a request that leaves the gateway again. */
    restore: () => void;
  }> & {
    /** Only where somebody watches. */
    observation: Observation | undefined;
    /** Whether its failure has been dealt with. */
    hasFailed: boolean;
  };

type LooseRequest = IncomingMessage & { params?: Record<string, unknown> };
type LooseResponse = ServerResponse & { locals?: Record<string, unknown> };

/** The reason for the end of an exchange that went well. */
export const exchangeIsOver = new Error("The exchange is over.");

/** Sets what middleware sees of a match, and removes from the request what is not the client's to say. */
export function beginExchange(
  { match, target }: MatchedRequest<CompiledRoute>,
  req: IncomingMessage,
  res: ServerResponse,
  peerIsTrusted: boolean,
): Exchange {
  const { value: compiled, placeholders } = match;
  const framing = readFraming(req.headers);
  const wantsTrailers = req.headers.te !== undefined && /\btrailers\b/i.test(String(req.headers.te));
  req.headers = cleanIncomingHeaders(req.headers, peerIsTrusted);
  const requestId = compiled.requestIdKey === undefined ? undefined : assignRequestId(req, res, compiled.requestIdKey);
  const cancellation = createCancellation();
  return {
    compiled,
    upgrade: compiled.upgradeRules === undefined ? undefined : findUpgrade(req),
    framing,
    wantsTrailers,
    cancellation,
    mountPath: mountPathOf(req),
    matched: {
      values: { captured: { ...placeholders }, current: placeholders },
      path: match.path,
      query: target.query,
    },
    context: createContext({ req, res, route: compiled.route, placeholders, requestId }, cancellation),
    observation: undefined,
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
  const { route, placeholders, requestId } = locals;
  locals.route = exposed.route;
  locals.placeholders = exposed.placeholders;
  if (exposed.requestId !== undefined) locals.requestId = exposed.requestId;
  req.params = addDecoded({ ...params }, exposed.placeholders);

  return function restore() {
    putBack(locals, { route, placeholders, requestId });
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
