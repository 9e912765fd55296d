import { randomUUID } from "node:crypto";
import { text as readText } from "node:stream/consumers";
import { styleText } from "node:util";
import { escapeWithinLines } from "../logging/escape-controls.ts";
import { ignoreErrors, listenOnce } from "../unattended/guarded.ts";
import type { CommandIo } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";

const escape = "\u001b";

type Surroundings = Readonly<{
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  env: NodeJS.ProcessEnv;
}>;

/**
 * The streams and the environment of a process. All that a command prints passes through here, and is escaped: no name
 * or value in it can command the terminal. Only the colours of our own can, as they stand behind a sign that no input
 * can know.
 */
export function createIo(surroundings: Surroundings): CommandIo {
  const { stdout, stderr, env } = surroundings;
  const sign = `<${randomUUID()}>`;
  ignoreErrors(stdout);
  ignoreErrors(stderr);
  return {
    write: (text) => void stdout.write(escapeWithinLines(text).replaceAll(sign, escape), failAtExit),
    complain: (text) => void stderr.write(escapeWithinLines(text)),
    // Only on a terminal, and not where NO_COLOR is set: styleText looks itself.
    style: (format, text) => styleText(format, escapeWithinLines(text), { stream: stdout }).replaceAll(escape, sign),
    // Only now: a stdin that nobody reads must not keep the process waiting.
    read: () => readText(surroundings.stdin),
    environment: env,
  };
}

/**
 * `waymark routes gateway.json | head` is no failure; a full disk is. The log of a gateway is not written here: a gateway
 * goes on without it, and ends as well as with it.
 */
function failAtExit(error?: NodeJS.ErrnoException | null): void {
  if (error && error.code !== "EPIPE") listenOnce(process, "exit", () => (process.exitCode = exitCodes.usage));
}
