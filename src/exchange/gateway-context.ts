import { type Cancellation, exchangeIsOver } from "../cancellation.ts";
import type { GatewayContext } from "../delegating-handler.ts";
import { inPresentContext } from "../in-present-context.ts";

const cancellationOf = Symbol("cancellation");
const signalOf = Symbol("signal");

type LazyContext = GatewayContext & { [cancellationOf]: Cancellation; [signalOf]: AbortSignal | undefined };

/**
 * The signal is made when it is asked for first; the accessor is shared, as each one made anew costs a hidden class.
 */
const contextPrototype: Pick<GatewayContext, "signal"> & ThisType<LazyContext> = {
  get signal() {
    return (this[signalOf] ??= createSignal(this[cancellationOf]));
  },
};

/** Makes what delegating handlers and responders see of a matched request. */
export function createContext(
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
  // The timer of a time limit may be that of another client's request.
  const run = inPresentContext();
  onCancel((reason) => {
    if (reason !== exchangeIsOver) run(() => controller.abort(reason));
  });
  return controller.signal;
}
