import { showToCode } from "../answers/show-to-code.ts";
import { whenBegun } from "../answers/answer-begins-though-kept-back.ts";
import { noteAnswer, whileCodeRuns } from "../bodies/with-code/bodies-with-code.ts";
import { failWithPipes } from "../bodies/with-code/break-pipes.ts";
import { cutConnection } from "../answers/cut-connection.ts";
import { keepHead } from "../answers/restore-head.ts";
import type { UpstreamResponse } from "../delegating-handler.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { GatewayOptions } from "../options/options.ts";
import { passThrough } from "../answers/pass-through.ts";
import { createAcceptUpgrade, isAccepted } from "../capabilities/websockets/accept-upgrade.ts";
import type { Exchange } from "./exchange.ts";

/** How an exchange ends but by an answer: `untrack` where its WebSocket goes on without it, `fail` where something went wrong. */
export type OtherEndings = Readonly<{ untrack: () => void; fail: (error: unknown) => void }>;

/** Brings an answer to the client. */
export type Respond = (upstream: UpstreamResponse, exchange: Exchange, endings: OtherEndings) => void | Promise<void>;

/** Prepares how answers are written: as a WebSocket, handed to the user's responder, or passed through. */
export function createRespond({ responder, via = false }: GatewayOptions, lifecycle: Lifecycle): Respond {
  const acceptUpgrade = createAcceptUpgrade(lifecycle, via);

  return function respond(upstream, exchange, { untrack, fail }) {
    const { res } = exchange.context;
    exchange.keptHead = keepHead(res);
    whenBegun(res, () => (exchange.hasBegun = true));
    // A WebSocket has no body that a responder could change.
    if (isAccepted(upstream, exchange)) return acceptUpgrade(upstream, exchange, { untrack, fail });
    if (responder === undefined) return write(upstream, exchange, fail);
    showToCode(upstream, exchange);
    exchange.isWithUserCode = true;
    // What is piped there behind a failure is the app's answer to that.
    failWithPipes(res, (error) => (exchange.hasFailed ? cutConnection(res) : fail(error)));
    noteAnswer(exchange.bodiesWithCode);
    return whileCodeRuns(exchange.bodiesWithCode, (done) =>
      responder(upstream, exchange.context, () => respondAsItStands(done)),
    );

    function respondAsItStands(done: () => void): Promise<void> {
      done();
      const writing = write(upstream, exchange, fail);
      // A responder that does not wait for this must not turn a body that breaks off into an unhandled rejection.
      writing.catch(fail);
      return writing;
    }
  };

  function write(
    upstream: UpstreamResponse,
    { context: { res }, wantsTrailers, told }: Exchange,
    fail: OtherEndings["fail"],
  ): Promise<void> {
    return passThrough(upstream, { res, wantsTrailers, told, via, fail });
  }
}
