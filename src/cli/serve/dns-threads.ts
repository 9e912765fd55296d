const threads = "16";

/** Chooses how many threads there are: the first work that needs one starts all of them, and half of them may look up names. */
export function chooseThreads(): void {
  process.env.UV_THREADPOOL_SIZE ??= threads;
}
