/** Room for lines that wait for their reader, and the count of those that found none. */
export type LineRoom = Readonly<{
  /** Whether a line would be dropped at the moment, whatever its length; if so, it is counted. */
  refuses: (isUrgent: boolean) => boolean;
  /** Makes room for a line of some length; false if there is none, and the line is counted. */
  take: (length: number, isUrgent: boolean) => boolean;
  /** Makes room for a text that has to go. */
  extend: (length: number) => void;
  /**
   * Frees the room of lines that are written, or lost; when some are lost, all that follow are lost, too, for a moment.
   */
  release: (length: number, lost: number) => void;
  isEmpty: () => boolean;
  /** How many lines were dropped, if it can be told at the moment; they count no more. */
  takeDropped: () => number;
}>;

// In characters.
const most = 1_048_576;
// Lines about failures still find room when lines about requests find none.
const mostUsually = 786_432;
const pauseAfterFailure = 1_000;

/** Makes a room that is closed to lines that are not urgent from the first one that does not fit until all have left. */
export function createLineRoom(): LineRoom {
  let waiting = 0;
  let dropped = 0;
  let isClosed = false;
  let brokenUntil = 0;
  return {
    refuses,
    take,
    extend: (length) => void (waiting += length),
    release,
    isEmpty: () => waiting === 0,
    takeDropped,
  };

  function refuses(isUrgent: boolean): boolean {
    const isRefused = (isClosed && !isUrgent) || isBroken();
    if (isRefused) dropped += 1;
    return isRefused;
  }

  function isBroken(): boolean {
    return brokenUntil > 0 && performance.now() < brokenUntil;
  }

  function take(length: number, isUrgent: boolean): boolean {
    if (refuses(isUrgent)) return false;
    // However long a line is, it may go alone: it would never find room otherwise.
    if (waiting > 0 && waiting + length > (isUrgent ? most : mostUsually)) {
      isClosed ||= !isUrgent;
      dropped += 1;
      return false;
    }
    waiting += length;
    return true;
  }

  /** A pipe without a reader may get one again: a line is tried now and then. */
  function release(length: number, lost: number): void {
    brokenUntil = lost === 0 ? 0 : performance.now() + pauseAfterFailure;
    dropped += lost;
    waiting -= length;
    if (waiting === 0) isClosed = false;
  }

  function takeDropped(): number {
    if (isClosed || isBroken()) return 0;
    const taken = dropped;
    dropped = 0;
    return taken;
  }
}
