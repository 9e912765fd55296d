/** Microseconds that this thread has worked so far; what others do at the same time does not count. */
export function processorTime(): number {
  // Linux counts for a thread only up to its last tick, some milliseconds ago, until somebody asks for the whole process.
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** Microseconds that this thread works for it. */
export function processorTimeOf(work: () => unknown): number {
  const before = processorTime();
  work();
  return processorTime() - before;
}

/** The same of work that waits; other work of this thread counts as well. */
export async function processorTimeUntil(work: () => Promise<unknown>): Promise<number> {
  const before = processorTime();
  await work();
  return processorTime() - before;
}
