import { jest } from "@jest/globals";

/** Lets faked time pass as fast as turns of the event loop do, until something has come. */
export async function hurryUntil<Result>(coming: Promise<Result>): Promise<Result> {
  const hurrying = new AbortController();
  const settled = coming.finally(() => hurrying.abort());
  while (!hurrying.signal.aborted) {
    await new Promise(setImmediate);
    jest.advanceTimersByTime(20);
  }
  return settled;
}
