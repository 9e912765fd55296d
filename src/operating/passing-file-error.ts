// The last three come of files on another machine: one replaced there, or a network that fails for a moment.
const passingCodes: ReadonlySet<unknown> = new Set([
  ...["EMFILE", "ENFILE", "EAGAIN", "ENOMEM"],
  ...["ESTALE", "EIO", "ETIMEDOUT"],
]);

/** Whether a file could not be read for want of something that the process or the machine will have again. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return passingCodes.has((error as NodeJS.ErrnoException).code) || isPassing(error.cause);
}
