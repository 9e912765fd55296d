import { longestTimer } from "../timer-milliseconds.ts";
import { after } from "./guarded.ts";

/** Calls back at a time of the clock, however far off; the function that comes back takes that off. */
export function atTime(epochMilliseconds: number, callback: () => void): () => void {
  let timer: NodeJS.Timeout;
  wait();
  return () => clearTimeout(timer);

  function wait(): void {
    const left = epochMilliseconds - Date.now();
    timer = after(Math.min(Math.max(left, 0), longestTimer), left > longestTimer ? wait : callback).unref();
  }
}
