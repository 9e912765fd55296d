import express, { type RequestHandler } from "express";
import { GatewayError } from "../errors.ts";
import type { GatewayOptions } from "../options/options.ts";
import type { Exchange } from "./begin-exchange.ts";

/** Where a request goes from the middleware: to the upstream, to the error handlers, or out of the gateway. */
export type Ways = Readonly<{ proxy: () => void; fail: (error: unknown) => void; leave: () => void }>;

/** A request with its way to the upstream, each gateway's under a symbol of its own. */
type Travelling = Record<symbol, Pick<Ways, "proxy"> | undefined>;

const errorHandlerParameters = 4;

/** Prepares the user's middleware: an Express router whose last layer is the proxy. */
export function createMiddlewareRunner(
  middleware: NonNullable<GatewayOptions["middleware"]>,
): (exchange: Exchange, ways: Ways) => void {
  middleware.forEach(refuseErrorHandler);
  if (middleware.length === 0) return (_exchange, ways) => ways.proxy();
  // On the request itself: what a WeakMap holds stays until the next full garbage collection, however short-lived its key.
  const waysOf = Symbol("ways");
  const router = express.Router({ mergeParams: true });
  router.use(...(middleware as RequestHandler[]), function proxyLayer(req) {
    (req as object as Travelling)[waysOf]?.proxy();
  });

  return function runMiddleware({ context: { req, res } }, ways) {
    let isProxied = false;
    let hasLeft = false;
    (req as object as Travelling)[waysOf] = { proxy };
    router(req as never, res as never, (error?: unknown) => {
      if (error !== undefined && error !== null) ways.fail(error);
      // Left by next("router"), unless it was proxied: then somebody has called next() twice.
      else if (!isProxied) leave();
    });

    function leave(): void {
      hasLeft = true;
      ways.leave();
    }

    function proxy(): void {
      // Whoever calls next() after next("router") is too late: the request is somebody else's.
      if (hasLeft) return;
      isProxied = true;
      ways.proxy();
    }
  };
}

function refuseErrorHandler(handler: unknown, index: number): void {
  if (typeof handler === "function" && handler.length !== errorHandlerParameters) return;
  throw new GatewayError(
    "option-invalid",
    `options.middleware[${index}] is ${typeof handler === "function" ? "an error handler (four parameters)" : JSON.stringify(handler)}; ` +
      "expected ordinary handlers (req, res, next). Error handlers belong in the app: app.use(handler) behind the gateway.",
  );
}
