import { after, nextTurn } from "../../unattended/guarded.ts";
import { createLineRoom, type LineRoom } from "./line-room.ts";

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
