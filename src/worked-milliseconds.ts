// Not every Node 22 has this function.
const { threadCpuUsage } = process as Partial<Pick<typeof process, "threadCpuUsage">>;

/**
 * How long this thread has worked so far. On a busy machine a thread is put aside in the middle of its work, which is no work;
 * where nobody knows, the clock has to do.
 */
export function workedMilliseconds(): number {
  if (threadCpuUsage === undefined) return performance.now();
  // Linux counts for a thread only up to its last tick, some milliseconds ago, until somebody asks for the whole process.
  process.cpuUsage();
  const { user, system } = threadCpuUsage.call(process);
  return (user + system) / 1_000;
}
