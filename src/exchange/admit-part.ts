import { findRefusal } from "../admission/find-refusal.ts";
import { createPartBodies, type PartBodies } from "../bodies/parsed/body-of-part.ts";
import type { PartCall } from "../aggregates/part-call.ts";
import { partFailed } from "../aggregates/part-errors.ts";
import { exchangeIsOver } from "../cancellation.ts";
import type { CompiledPart } from "../compiling/compiled-route.ts";
import type { UpstreamResponse } from "../delegating-handler.ts";
import { inPresentContext } from "../in-present-context.ts";
import type { Logger } from "../logging/logger.ts";
import { noteFailed, sendWatched, watchPart } from "./watch-part.ts";
import { readRequestTarget } from "../urls/request-target.ts";
import { askGuards, type Refusal } from "./ask-guards-of-part.ts";
import { beginPart, type PartExchange } from "./begin-part.ts";
import type { Exchange } from "./exchange.ts";
import { watchSecondReading } from "./refuse-second-reading.ts";
import type { RunMiddleware } from "./run-middleware.ts";
import { followMembers, type MembersOfPart } from "./members-of-part.ts";
import { type Begun, createTakeBack, leaveToWhole } from "./take-back-part.ts";
import type { SendPart } from "./send-part.ts";
import type { SharedBody } from "./read-body-for-all-parts.ts";
import { withholdHeaders } from "./withhold-headers.ts";
import type { TrackCall } from "./count-calls-of-parts.ts";

/** What the parts of all aggregates are admitted and sent with. */
export type PartSurroundings = Readonly<{
  runMiddleware: RunMiddleware;
  trackCall: TrackCall;
  send: SendPart;
  logger: Logger;
}>;

/** What of a configuration holds for the requests that it finds a route for. */
export type PresentTerms = Readonly<{
  /** How many requests the gateway takes at the same time. */
  concurrent: number;
  claimHeaders: ReadonlySet<string> | undefined;
}>;

/** How the parts of one aggregate are admitted for one request. */
type Admission = Readonly<{
  /** Lets the client in to one call of a part, with values that it has not sent itself. */
  admit: (part: CompiledPart, values: Readonly<Record<string, string>>) => Promise<PartCall>;
  /** Judges who asks, of a part whose calls are not known yet. */
  judgeClient: (part: CompiledPart) => Promise<undefined>;
  shareBody: (body: SharedBody | undefined) => void;
}>;

/** Prepares how the parts of an aggregate are admitted for one request; `leave` takes it out of the gateway. */
export function createAdmission(
  whole: Exchange,
  leave: () => void,
  surroundings: PartSurroundings & PresentTerms,
): Admission {
  const { trackCall, send, logger, concurrent } = surroundings;
  const { req } = whole.context;
  const { headers } = req;
  const passMiddleware = createPassMiddleware(surroundings);
  const takeBack = createTakeBack(whole);
  const isAlone = whole.compiled.aggregate!.parts.length === 1;
  const refuseBy = createRefuseBy(isAlone);
  const target = readRequestTarget(req.url ?? "")!;
  const begun: PartExchange[] = [];
  const bodies = createPartBodies(req, whole.framing);
  let body: SharedBody | undefined;
  return { admit, judgeClient, shareBody: (shared) => void (body = shared) };

  async function admit(part: CompiledPart, values: Readonly<Record<string, string>>): Promise<PartCall> {
    await bodies.turn();
    const { call, members } = begin(part, values);
    // The first call takes the place that the whole has taken.
    const refusal = trackCall(call, { isExtra: begun.length > 1, concurrent }) ?? findRefusal(call, target, req);
    refuseBy(refusal && { reason: refusal }, part, call);
    refuseBy(await askGuards(call.compiled.pipeline.guards, call), part, call);
    const inContextOfPart = await passMiddleware({ call, members }, () => leaveWith(call));
    const own = takeBack({ call, members });
    const spoilt = bodies.refusal();
    refuseBy(spoilt && { reason: spoilt }, part, call);
    const sendOwn = createSendInTurn({ bodies, members }, () => inContextOfPart(send, call, own, body));
    return createCall(part, call, { send: () => sendWatched(call, sendOwn), logger });
  }

  async function judgeClient(part: CompiledPart): Promise<undefined> {
    const { call, members } = begin(part, {});
    refuseBy(await askGuards(part.clientGuards, call), part, call);
    takeBack({ call, members });
    // What guards hold for as long as a call lasts, the calls that follow need themselves.
    call.cancellation.cancel(exchangeIsOver);
  }

  function begin(part: CompiledPart, values: Readonly<Record<string, string>>): Begun {
    // What is set for the only part is set for the whole.
    const members = isAlone ? undefined : followMembers(req, bodies);
    const call = beginPart(whole, part, { headers, values });
    begun.push(call);
    call.cancellation.onCancel(() => members?.end());
    watchPart(call, whole);
    return { call, members };
  }

  function leaveWith(call: PartExchange): void {
    leaveToWhole(call, whole);
    for (const { cancellation } of begun) cancellation.cancel(exchangeIsOver);
    leave();
  }
}

/** Of a hundred calls each would keep the copy that its handlers have read until the last of them is answered. */
function createSendInTurn(
  { bodies, members }: Readonly<{ bodies: PartBodies; members: MembersOfPart | undefined }>,
  send: () => Promise<UpstreamResponse>,
): () => Promise<UpstreamResponse> {
  return async function sendInTurn() {
    await bodies.turn();
    const refusal = bodies.refusal();
    if (refusal !== undefined) throw refusal;
    return send().finally(members?.sent);
  };
}

/**
 * Makes what runs the middleware for a call: what that begins for one part, in an `AsyncLocalStorage`, goes with the calls of
 * that part, in the function that comes back, and reaches no other's.
 */
function createPassMiddleware({ runMiddleware, claimHeaders }: PartSurroundings & PresentTerms) {
  const inContextOfWhole = inPresentContext();
  return function passMiddleware({ call, members }: Begun, leave: () => void): Promise<typeof inContextOfWhole> {
    return new Promise((pass, fail) => {
      const reading = watchSecondReading(call.context.req, fail);
      call.cancellation.onCancel(reading.end);
      inContextOfWhole(runMiddleware, withholdHeaders(call, claimHeaders), { proxy, fail, leave }, afterEach);

      function proxy(): void {
        reading.end();
        pass(inPresentContext());
      }

      function afterEach(): void {
        members?.noteParsed();
        reading.passed();
      }
    });
  };
}

/** Makes what ends a call that is refused, and all of the aggregate with it. */
function createRefuseBy(isAlone: boolean) {
  return function refuseBy(refusal: Refusal | undefined, { key }: CompiledPart, call: PartExchange): void {
    if (refusal === undefined) return;
    noteFailed(call, refusal.reason);
    // Where guards wait for the end of their exchange, it is their own refusal that ends it.
    call.cancellation.cancel(refusal.reason as Error);
    throw isAlone ? refusal.reason : partFailed(key, refusal.reason);
  };
}

function createCall(
  { key }: CompiledPart,
  { cancellation, compiled, context }: Exchange,
  { send, logger }: Readonly<{ send: PartCall["send"]; logger: Logger }>,
): PartCall {
  const { placeholders, route } = context;
  let ended: Error | undefined;
  cancellation.onCancel((reason) => void (ended = reason));
  return {
    key,
    placeholders,
    // Of many calls some may still wait for their turn when the client leaves.
    send: () => (ended === undefined ? send() : Promise.reject(ended)),
    hasScarceConnection: () => compiled.sending().mostConnections !== undefined,
    beginWait: (expire) => compiled.sending().beginWait(expire),
    cancel: (reason) => void cancellation.cancel(reason),
    onEnd: cancellation.onCancel,
    logLeftOut(reason) {
      logger.warn({ route: route.id, err: reason }, "A part of an aggregate failed, and is null in the whole.");
    },
  };
}
