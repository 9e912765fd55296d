import type { Transform } from "node:stream";
import { listen, listenOnce } from "../unattended/guarded.ts";
import { bytesOfSmallWindow, openWindows, type OpenWindow } from "./open-windows.ts";

const bytesOfPiece = 65_536;

/** Has the window of a stream of node:zlib watched while it may take much memory: up to `mostBytes`. */
export function watchWindow(stream: Transform, mostBytes: number, breakOff: (reason: Error) => void): void {
  if (mostBytes <= bytesOfSmallWindow) return;
  let bytesGiven = 0;
  let window: OpenWindow | undefined;
  listen(stream, "data", count);
  listenOnce(stream, "close", endWatch);

  function count(chunk: Buffer): void {
    bytesGiven += chunk.length;
    // What gives less than a whole piece is over soon.
    if (window !== undefined || bytesGiven < bytesOfPiece || stream.destroyed) return;
    window = { bytes, given: () => bytesGiven, waits, breakOff };
    openWindows.add(window);
  }

  function endWatch(): void {
    if (window !== undefined) openWindows.remove(window);
  }

  /** Node decompresses what came in last as far as the window goes, also where nobody reads (seen in 24.21, with brotli). */
  function bytes(): number {
    return isAtWork() ? mostBytes : Math.min(mostBytes, bytesGiven);
  }

  function waits(): boolean {
    return !isAtWork() || stream.isPaused();
  }

  function isAtWork(): boolean {
    return stream.writableLength > 0;
  }
}
