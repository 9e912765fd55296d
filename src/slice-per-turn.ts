import { inPresentContext } from "./in-present-context.ts";
import { createQueue, joinQueue, leaveQueue } from "./queue.ts";
import { nextTurn } from "./unattended/guarded.ts";

/** Goes on with some work until the time is over, and says whether all of it is done. */
type GoOn = (until: number) => boolean;

type Work = { readonly goOn: GoOn; slices: number };

/** Far below what a client notices, as garbage collection and the requests served in between come on top. */
const sliceMilliseconds = 2;

// Short work is done as soon as it is begun, and what it holds is free then; what is longer lets others go on.
const slicesInPlace = 10;

const underWay = createQueue<Work>();
let hasTurn = false;

/**
 * Goes on with some work until it is done, in slices. There is one in each turn of the event loop, however much work is under
 * way in the process: that which came first goes on, and all of it for whom it was begun.
 */
export function goOnInSlices(goOn: GoOn): void {
  const run = inPresentContext();
  joinQueue(underWay, { goOn: (until) => run(goOn, until), slices: 0 });
  if (!hasTurn) nextTurn(workForOneSlice);
  hasTurn = true;
}

function workForOneSlice(): void {
  const end = performance.now() + sliceMilliseconds;
  for (let work = first(); work !== undefined && performance.now() < end; work = first()) {
    work.slices += 1;
    if (work.goOn(end)) leaveQueue(underWay, work);
    else if (work.slices === slicesInPlace) moveBehindOthers(work);
  }
  hasTurn = first() !== undefined;
  if (hasTurn) nextTurn(workForOneSlice);
}

function first(): Work | undefined {
  return underWay.oldest?.key;
}

function moveBehindOthers(work: Work): void {
  work.slices = 0;
  joinQueue(underWay, work);
}
