/** What Node's streams keep of a terminal or a pipe (seen in 22 to 24). */
type Output = NodeJS.WriteStream & Readonly<{ _handle?: Readonly<{ setBlocking?: (isBlocking: boolean) => unknown }> }>;

/**
 * Lets lines wait for whoever reads them. Node itself waits with each write to a terminal, and with each write to anything
 * once a process was started, or has ended, that has it too: one that nobody reads would stop the whole process.
 */
export function freeStdout(): void {
  const stdout: Output = process.stdout;
  stdout._handle?.setBlocking?.(false);
}
