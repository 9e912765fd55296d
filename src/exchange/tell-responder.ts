import { whenRejected } from "../when-rejected.ts";
import type { GatewayContext } from "../delegating-handler.ts";
import type { GatewayOptions } from "../options/options.ts";
import type { Exchange } from "./exchange.ts";

/** Tells a responder of a match; `fail` hears of it where the hook is asynchronous, and fails later. */
type TellResponder = (exchange: Exchange, fail: (error: unknown) => void) => void;

/** The hook as it may be: nothing keeps it from being asynchronous. */
type Told = Readonly<{ matched?: (context: GatewayContext) => unknown }>;

/** Prepares how a responder hears of a match; what it sets is remembered where middleware may let the request leave. */
export function createTellResponder({ responder, middleware = [] }: GatewayOptions): TellResponder {
  const told: Told | undefined = responder;
  return function tellResponder(exchange, fail) {
    if (told?.matched === undefined) return;
    const { context } = exchange;
    if (middleware.length === 0) {
      whenRejected(told.matched(context), fail);
      return;
    }
    const before = context.res.getHeaders();
    whenRejected(told.matched(context), fail);
    exchange.announced = { before, after: context.res.getHeaders() };
  };
}
