import type { Destinations } from "./destinations.ts";
import type { Exchange } from "./exchange.ts";

/** What becomes of an exchange behind its middleware, and whether there is any. */
type WaysOutParts = Destinations & Readonly<{ hasMiddleware: boolean }>;

/** The ways out of the middleware; `failUpload` is for an upload that fails beside it. */
type WaysOut = Destinations & Readonly<{ failUpload: (error: unknown) => void }>;

/**
 * Lets an exchange go one way: what has failed does not leave the gateway, nor fails what has left it. While middleware is at
 * work, the app must not answer what fails by its client's fault: middleware would write into that answer, as late as the
 * client likes.
 */
export function createWaysOut(exchange: Exchange, behind: WaysOutParts): WaysOut {
  let isAtWork = behind.hasMiddleware;
  let hasLeft = false;
  return {
    proxy() {
      isAtWork = false;
      behind.proxy();
    },
    fail,
    leave() {
      if (exchange.hasFailed) return;
      hasLeft = true;
      behind.leave();
    },
    failUpload(error) {
      exchange.failsBesideMiddleware = isAtWork;
      fail(error);
    },
  };

  function fail(error: unknown): void {
    if (!hasLeft) behind.fail(error);
  }
}
