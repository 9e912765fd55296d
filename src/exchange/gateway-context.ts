import { type Cancellation, exchangeIsOver } from "../cancellation.ts";
import type { GatewayContext } from "../delegating-handler.ts";

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
  onCancel((reason) => {
    if (reason !== exchangeIsOver) controller.abort(reason);
  });
  return controller.signal;
}
