import type { Readable } from "node:stream";
import { type Cancellation, createCancellation } from "../../cancellation.ts";
import type { Logger } from "../../logging/logger.ts";
import { after, guard, listenOnce, turnAfterNext } from "../../unattended/guarded.ts";
import { spareFromBreaking } from "./break-pipes.ts";
import type { BodiesWithCode } from "./bodies-with-code.ts";
import { giveUpInLaterTurn } from "./give-up-body.ts";
import { endTakers } from "./end-takers.ts";
import { endQuietly, silenceFailures } from "./end-quietly.ts";
import { isReadByLoop, isUnderWay } from "./silence.ts";

/** An exchange, and what user code has of its bodies; undefined where it gets none. */
export type ExchangeOfCode = Readonly<{ cancellation: Cancellation; bodiesWithCode?: BodiesWithCode | undefined }>;

/** How long code that still runs may have a body after the exchange, such as while it waits for a log; milliseconds. */
const longestForCode = 30_000;
/** How long those may have it who read it; milliseconds. */
const longestForReaders = 1_000;
/** How long a gateway that closes waits for either; milliseconds. */
const longestBeforeClose = 1_000;

/**
 * The cancellation of what gives user code its answers. It ends with the exchange, and its bodies without an error; but where
 * code that has such a body is still at work, it ends when that is done, or with an error half a minute later, a second later
 * where it is read: what the code has made of the body (`compose`, `Readable.from`, web streams) and not handed over yet would
 * fail with it unheard.
 */
export function outlast({ cancellation: exchange, bodiesWithCode: bodies }: ExchangeOfCode): Cancellation {
  if (bodies === undefined) return exchange;
  return (bodies.calls ??= createCalls(exchange, bodies));
}

/** Calls of a gateway that go on at the moment although their exchanges are over, and how loops end that do so by themselves. */
type Outlasting = Readonly<{ calls: Set<Promise<void>>; endLoops: Set<() => void> }>;

/** Each gateway has a logger of its own. */
const ofGateways = new WeakMap<Logger, Outlasting>();

function outlastingOf(logger: Logger): Outlasting {
  const known = ofGateways.get(logger);
  if (known !== undefined) return known;
  const outlasting: Outlasting = { calls: new Set(), endLoops: new Set() };
  ofGateways.set(logger, outlasting);
  return outlasting;
}

/**
 * Resolves when the calls of a gateway have ended that outlast their exchanges now, or have had a second for that: an engine
 * that is closed before breaks them off. The bodies of loops that go on by themselves are closed by then, without an error.
 */
export async function endOfOutlasting(logger: Logger): Promise<void> {
  const { calls, endLoops } = outlastingOf(logger);
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = after(longestBeforeClose, resolve);
  await Promise.race([Promise.all(calls), promise]);
  clearTimeout(timer);
  for (const end of endLoops) end();
}

function createCalls(exchange: Cancellation, bodies: BodiesWithCode): Cancellation {
  const calls = createCancellation(exchange.logger);
  exchange.onCancel((reason) => endCalls(bodies, outlastingOf(exchange.logger), () => void calls.cancel(reason)));
  return calls;
}

function endCalls(bodies: BodiesWithCode, { calls, endLoops }: Outlasting, end: () => void): void {
  bodies.piped?.ignoreFailures();
  for (const body of bodies.opened) if (body.destroyed && !body.readableEnded) endTakersSafely(body);
  const isWithCode = bodies.running > 0 && bodies.hasAnswer;
  if (!isWithCode && ![...bodies.opened, ...bodies.given].some(isUnderWay)) {
    end();
    return;
  }
  const ending = new Promise<void>((resolve) => {
    const ends: Ends = { endLoops, end: resolve };
    if (bodies.running === 0) endBodies(bodies, ends);
    else endWhenCodeIsDone(bodies, ends);
  });
  calls.add(ending);
  void ending.then(() => calls.delete(ending)).then(end);
}

/** Where loops note how they end, and what is called when all bodies have ended. */
type Ends = Readonly<{ endLoops: Set<() => void>; end: () => void }>;

function endWhenCodeIsDone(bodies: BodiesWithCode, ends: Ends): void {
  let waited = 0;
  let timer = after(longestForReaders, look).unref();
  bodies.whenDone = goOn;

  function look(): void {
    waited += longestForReaders;
    if (waited >= longestForCode || bodies.opened.some(isRead)) goOn();
    else timer = after(longestForReaders, look).unref();
  }

  function goOn(): void {
    clearTimeout(timer);
    bodies.whenDone = undefined;
    if (bodies.running === 0) {
      endBodies(bodies, ends);
      return;
    }
    for (const body of bodies.opened) endTakersSafely(body);
    ends.end();
  }
}

function isRead(body: Readable): boolean {
  return isUnderWay(body) && (body.readableFlowing === true || isReadByLoop(body));
}

/**
 * What was given is destroyed first, and most bodies that it was made of with it; but not what other code has got of it, which
 * is a body like others to that.
 */
function endBodies({ opened, given }: BodiesWithCode, ends: Ends): void {
  // What fails beneath a body, as what was given is destroyed, is to reach nobody.
  for (const body of opened) if (!isReadByLoop(body)) silenceFailures(body);
  for (const stream of given) if (isUnderWay(stream) && !opened.includes(stream)) giveUpInLaterTurn(stream);
  // What code has begun last, such as a generator that is to flow, may still be about to read.
  turnAfterNext(endOpened);

  function endOpened(): void {
    const loops = opened.filter((body) => isUnderWay(body) && isReadByLoop(body));
    loops.forEach(spareFromBreaking);
    for (const body of opened) if (!loops.includes(body)) endSafely(body);
    if (loops.length === 0) ends.end();
    else letFinish(loops, ends);
  }
}

/** Streams of user code may throw: the others end, and so do the calls. */
const endSafely = guard(endQuietly);
/** A body that has broken off tells what takes it in nothing. */
const endTakersSafely = guard(endTakers);

/** Loops that go on by themselves, as to keep what comes, may come to the end of their bodies. */
function letFinish(bodies: readonly Readable[], { endLoops, end }: Ends): void {
  const timer = after(longestForReaders, finish).unref();
  endLoops.add(finish);
  for (const body of bodies) {
    listenOnce(body, "close", () => {
      if (!bodies.some(isUnderWay)) finish();
    });
  }

  function finish(): void {
    // A body that is closed here calls it again.
    if (!endLoops.delete(finish)) return;
    clearTimeout(timer);
    for (const body of bodies) endSafely(body);
    end();
  }
}
