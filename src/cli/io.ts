import { styleText } from "node:util";
import { type CommandIo, exitCodes } from "./command.ts";

type Surroundings = Readonly<{ stdout: NodeJS.WriteStream; stderr: NodeJS.WriteStream; env: NodeJS.ProcessEnv }>;

/** The streams and the environment of a process. */
export function createIo({ stdout, stderr, env }: Surroundings): CommandIo {
  stdout.on("error", noteFailure);
  return {
    write: (text) => void stdout.write(text),
    complain: (text) => void stderr.write(text),
    // Only on a terminal, and not where NO_COLOR is set: styleText looks itself.
    style: (format, text) => styleText(format, text, { stream: stdout }),
    environment: env,
  };
}

/** `waymark routes gateway.json | head` is no failure; a full disk is, but a gateway goes on without its log. */
function noteFailure({ code }: NodeJS.ErrnoException): void {
  if (code !== "EPIPE") process.once("exit", () => (process.exitCode = exitCodes.usage));
  // Once is enough to say so.
  process.stdout.off("error", noteFailure).on("error", () => undefined);
}
