import { after, nextTurn } from "../../unattended/guarded.ts";

/** Writes a text, and tells when it is out, or why it never will be. */
export type WriteText = (text: string, done: (error?: Error | null) => void) => void;

/** Lines on their way to a reader who may be slow, or gone. */
export type LineQueue = Pick<LineRoom, "refuses"> &
  Readonly<{
    /** Takes a line with its line feed; a line for which there is no room is dropped, and counted. */
    add: (line: string, isUrgent: boolean) => void;
    /** Writes at once what is pending. */
    flush: () => void;
    /** Writes what is pending, for as long as that may take; tells whether all of it is out. */
    finish: (milliseconds: number) => Promise<boolean>;
  }>;

/** Makes a queue that holds a bounded amount, whoever reads; a line of `report` says how many lines were lost. */
export function createLineQueue(write: WriteText, report: (dropped: number) => string): LineQueue {
  const room = createLineRoom();
  let pending = "";
  let pendingLines = 0;
  let tellEmpty: () => void = () => undefined;
  return { refuses: room.refuses, add, flush, finish };

  function add(line: string, isUrgent: boolean): void {
    if (!room.take(line.length, isUrgent)) return;
    // What one turn of the event loop has to say is written at once: a write for each line would cost more than the line.
    if (pending === "") nextTurn(flush);
    pending += line;
    pendingLines += 1;
  }

  function flush(): void {
    const dropped = room.takeDropped();
    if (pending === "" && dropped === 0) return;
    const told = dropped === 0 ? "" : report(dropped);
    room.extend(told.length);
    const text = told + pending;
    const lines = pendingLines + dropped;
    pending = "";
    pendingLines = 0;
    write(text, function noteWritten(error) {
      room.release(text.length, error ? lines : 0);
      if (!room.isEmpty()) return;
      flush();
      if (room.isEmpty()) tellEmpty();
    });
  }

  async function finish(milliseconds: number): Promise<boolean> {
    flush();
    if (room.isEmpty()) return true;
    await new Promise<void>((resolve) => {
      const patience = after(milliseconds, resolve);
      tellEmpty = () => {
        clearTimeout(patience);
        resolve();
      };
    });
    return room.isEmpty();
  }
}

/** Room for lines that wait for their reader, and the count of those that found none. */
type LineRoom = Readonly<{
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
function createLineRoom(): LineRoom {
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
