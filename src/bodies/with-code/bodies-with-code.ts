import type { Readable } from "node:stream";
import type { Cancellation } from "../../cancellation.ts";
import { createPipedByCode, type PipedByCode } from "./piped-by-code.ts";
import { watchGivenBack } from "./read-before.ts";

/** What user code has of the bodies of an exchange. */
export type BodiesWithCode = {
  /** The bodies of answers that it has asked for as streams. */
  readonly opened: Readable[];
  /** The streams that it has handed over for answers, and that end with the exchange. */
  readonly given: Readable[];
  /** What it has piped bodies into; undefined where it has had none as a stream. */
  piped: PipedByCode | undefined;
  /** Whether it has an answer, whose body it may ask for later. */
  hasAnswer: boolean;
  /** How many functions of it have not handed over yet what they make. */
  running: number;
  /** Is called when none of them runs any more. */
  whenDone: (() => void) | undefined;
  /** The end of the calls whose answers it gets; undefined until one is made. */
  calls: Cancellation | undefined;
};

/** What user code has of the bodies of an exchange that has just begun to be sent. */
export function noBodiesYet(): BodiesWithCode {
  return {
    opened: [],
    given: [],
    piped: undefined,
    hasAnswer: false,
    running: 0,
    whenDone: undefined,
    calls: undefined,
  };
}

/** What code behind a stand-in for an exchange has: what the client's code has of its answer does not end with another call. */
export function ownBodies({
  bodiesWithCode,
}: Readonly<{ bodiesWithCode?: BodiesWithCode | undefined }>): BodiesWithCode | undefined {
  return bodiesWithCode && noBodiesYet();
}

/** Notes that code has got an answer. */
export function noteAnswer(bodies: BodiesWithCode | undefined): void {
  if (bodies !== undefined) bodies.hasAnswer = true;
}

const openedByCode = new WeakSet<Readable>();
const assignedByCode = new WeakSet<Readable>();

/** Notes that code has got the body of an answer as a stream, however often: that of a part may be the whole's, too. */
export function noteOpenedByCode(bodies: BodiesWithCode | undefined, body: Readable): void {
  noteHad(openedByCode, body);
  if (bodies === undefined || bodies.opened.includes(body)) return;
  bodies.opened.push(body);
  followPipes(bodies, body);
}

/** Whether code has got a body of an answer as a stream. */
export function isOpenedByCode(body: Readable): boolean {
  return openedByCode.has(body);
}

/** Whether code has bodies as streams, that of the answer that it has handed over perhaps. */
export function hasStreams(bodies: BodiesWithCode | undefined): boolean {
  return bodies !== undefined && bodies.opened.length + bodies.given.length > 0;
}

/** Notes a stream that code has assigned as a body: it may read from it, too. */
export function noteAssignedByCode(body: Readable): void {
  noteHad(assignedByCode, body);
}

function noteHad(bodies: WeakSet<Readable>, body: Readable): void {
  if (!isHadByCode(body)) {
    watchGivenBack(body);
    allowListeners(body);
  }
  bodies.add(body);
}

/** How many listeners of each event the gateway has on such a body at most: 4 were counted. */
const listenersOfGateway = 5;

const allowed = new WeakSet<Readable>();

/** Lets code have as many listeners as on any stream before Node warns of a leak. */
export function allowListeners(body: Readable): void {
  if (allowed.has(body)) return;
  allowed.add(body);
  // Streams of other libraries need not have it; without a bound it is 0.
  const most = (body as Partial<Readable>).getMaxListeners?.() ?? 0;
  if (most > 0) body.setMaxListeners(most + listenersOfGateway);
}

/** Whether code has a body, because it has got or assigned it as a stream. */
export function isHadByCode(body: Readable): boolean {
  return openedByCode.has(body) || assignedByCode.has(body);
}

/** Notes where code pipes a body that it has got as a stream. */
export function followPipes(bodies: BodiesWithCode | undefined, body: Readable): void {
  if (bodies !== undefined) (bodies.piped ??= createPipedByCode()).follow(body);
}

/** Notes that code runs until it has handed over what it makes: by its result, or before that by calling `done`. */
export async function whileCodeRuns<Given>(
  bodies: BodiesWithCode | undefined,
  run: (done: () => void) => Given | Promise<Given>,
): Promise<Given> {
  if (bodies === undefined) return run(nothing);
  let isDone = false;
  bodies.running += 1;
  try {
    return await run(done);
  } finally {
    done();
  }

  function done(): void {
    if (isDone) return;
    isDone = true;
    bodies!.running -= 1;
    if (bodies!.running === 0) bodies!.whenDone?.();
  }
}

function nothing(): void {
  // Nobody waits for it.
}
