/** What Node's streams keep of a terminal (seen in 22 to 24). */
type Terminal = NodeJS.WriteStream &
  Readonly<{ _handle?: Readonly<{ setBlocking?: (isBlocking: boolean) => unknown }> }>;

/**
 * Lets lines wait for a terminal as they do for a pipe. Node itself waits with each write: one that nobody reads, as behind
 * Ctrl-S, would stop the whole process. Starting a process that has the same terminal makes it wait again.
 */
export function freeTerminal(): void {
  const stdout: Terminal = process.stdout;
  if (stdout.isTTY) stdout._handle?.setBlocking?.(false);
}
