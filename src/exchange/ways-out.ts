import type { Destinations } from "./destinations.ts";
import type { Exchange } from "./exchange.ts";

/** Whether user code that holds the response may be at work up to the call of the upstream, and from then on. */
type UserCode = Readonly<{ beforeCall: boolean; behindCall: boolean }>;

/** What becomes of an exchange behind its middleware, and what user code is at work beside it. */
type WaysOutParts = Destinations & Readonly<{ userCode: UserCode }>;

/** The ways out of the middleware; `failUpload` is for an upload that fails beside it. */
type WaysOut = Destinations & Readonly<{ failUpload: (error: unknown) => void }>;

/**
 * Lets an exchange go one way: what has failed goes no further, nor fails what has left it. While user code may be
 * at work, the app must not answer what fails by its client's fault: that code would write into the answer, as late as the
 * client likes.
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
      exchange.failsBesideUserCode = isAtWork;
      fail(error);
    },
  };

  function fail(error: unknown): void {
    if (!hasLeft) behind.fail(error);
  }
}
