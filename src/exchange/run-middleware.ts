import type { RequestHandler } from "express";
import createRouter from "router";
import { GatewayError } from "../errors.ts";
import type { GatewayOptions } from "../options/options.ts";
import type { Destinations } from "./destinations.ts";
import type { Exchange } from "./exchange.ts";
import { type LooseResponse, takePlaceholders } from "./expose-match.ts";
import { refuseBodies } from "./refuse-bodies-of-user-code.ts";

/** Runs the user's middleware for an exchange; `afterEach` is called whenever one of it lets the request pass. */
export type RunMiddleware = (exchange: Exchange, destinations: Destinations, afterEach?: () => void) => void;

/** What a pass calls on its way to the upstream, and at its end. */
type Pass = Pick<Destinations, "proxy"> & Readonly<{ afterEach: (() => void) | undefined }>;

/** A request, or the `next` of a pass, with its pass; each gateway has a symbol of its own for it. */
type Travelling = Record<symbol, Pass>;

const errorHandlerParameters = 4;

/** Prepares the user's middleware: a router as Express has it, whose last layer is the proxy of the pass. */
export function createMiddlewareRunner(middleware: NonNullable<GatewayOptions["middleware"]>): RunMiddleware {
  middleware.forEach(refuseErrorHandler);
  if (middleware.length === 0) return (exchange, given) => guarded(exchange, given).proxy();
  // On the request itself: what a WeakMap holds stays until the next full garbage collection, however short-lived its key.
  const passOf = Symbol("the way to the upstream");
  const router = createLayers(middleware);
  // Ordinary requests are spared the layers in between.
  const watched = createLayers(middleware.flatMap((handler) => [handler, afterLayer]));

  return function runMiddleware(exchange, given, afterEach) {
    const { req, res } = exchange.context;
    const destinations = guarded(exchange, given);
    let isProxied = false;
    let hasLeft = false;
    (req as object as Travelling)[passOf] = { proxy, afterEach };
    const layers = afterEach === undefined ? router : watched;
    layers(req as never, res as never, (error?: unknown) => {
      if (error !== undefined && error !== null) destinations.fail(error);
      // next("router") leads out of the gateway, unless the request was proxied: then next() was called twice.
      else if (!isProxied) {
        hasLeft = true;
        destinations.leave();
      }
    });

    function proxy(): void {
      // next() comes too late after next("router"): the request has left the gateway.
      if (hasLeft) return;
      // A client that left while middleware was busy would cost a connection to the upstream, which is kept for others.
      if (res.closed && !res.writableFinished) return;
      isProxied = true;
      takePlaceholders(exchange.context.placeholders, (res as LooseResponse).locals);
      destinations.proxy();
    }
  };

  function createLayers(handlers: readonly unknown[]): ReturnType<typeof createRouter> {
    const layers = createRouter({ mergeParams: true });
    layers.use(startLayer, ...(handlers as RequestHandler[]), proxyLayer);
    return layers;
  }

  /** A router has one `next` for a whole pass: a request may come again while the middleware of its first pass is late. */
  function startLayer(req: object, _res: unknown, next: () => void): void {
    (next as object as Travelling)[passOf] = (req as Travelling)[passOf]!;
    next();
  }

  function afterLayer(_req: unknown, _res: unknown, next: () => void): void {
    (next as object as Travelling)[passOf]!.afterEach?.();
    next();
  }

  function proxyLayer(_req: unknown, _res: unknown, next: () => void): void {
    (next as object as Travelling)[passOf]!.proxy();
  }
}

function refuseErrorHandler(handler: unknown, index: number): void {
  if (typeof handler === "function" && handler.length !== errorHandlerParameters) return;
  throw new GatewayError(
    "option-invalid",
    `options.middleware[${index}] is ${typeof handler === "function" ? "an error handler (four parameters)" : JSON.stringify(handler)}; ` +
      "expected ordinary handlers (req, res, next). Error handlers belong in the app: app.use(handler) behind the gateway.",
  );
}

function guarded(exchange: Exchange, given: Destinations): Destinations {
  const { refuseOtherMethod } = exchange;
  return refuseOtherMethod === undefined ? given : refuseBodies(exchange, given, refuseOtherMethod);
}
