import type { Destinations } from "./destinations.ts";
import type { Exchange } from "./exchange.ts";

/** Whether user code that holds the response may be at work up to the call of the upstream, and from then on. */
type UserCode = Readonly<{ beforeCall: boolean; behindCall: boolean }>;

/** What becomes of an exchange behind its middleware, and what user code is at work beside it. */
type WaysOutParts = Destinations & Readonly<{ userCode: UserCode }>;

/** The ways out of the middleware; `failUpload` is for an upload that fails beside it. */
type WaysOut = Destinations & Readonly<{ failUpload: (error: unknown) => void }>;

/**
 * Lets an exchange go one way: what has failed goes no further, nor fails what has left it. An upload may fail beside user code
 * that is at work, and that code could write into the answer as late as the client likes: so that answer is sealed from it.
 */
export function createWaysOut(exchange: Exchange, behind: WaysOutParts): WaysOut {
  let isAtWork = behind.userCode.beforeCall;
  let hasLeft = false;
  return {
    proxy() {
      if (exchange.hasFailed) return;
      isAtWork = behind.userCode.behindCall;
      behind.proxy();
    },
    fail,
    leave() {
      if (exchange.hasFailed) return;
      hasLeft = true;
      behind.leave();
    },
    failUpload(error) {
      if (isAtWork) exchange.isWithUserCode = true;
      fail(error);
    },
  };

  function fail(error: unknown): void {
    if (!hasLeft) behind.fail(error);
  }
}
