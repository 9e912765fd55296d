import { closestName } from "../closest-name.ts";
import { type Command, type CommandIo, UsageError } from "./command.ts";
import { commandNames, loadCommand, loadCommands } from "./commands.ts";
import { describeFailure } from "./message-and-exit-code.ts";
import { formatCommandHelp, formatProgramHelp } from "./help.ts";
import { parseArguments } from "./parse-arguments.ts";
import { readVersion } from "./read-version.ts";
import { exitCodes } from "./exit-codes.ts";

/** Runs the `waymark` program with its arguments; resolves to the exit code. */
export async function runProgram(words: readonly string[], io: CommandIo): Promise<number> {
  try {
    return await runCommand(words, io);
  } catch (error) {
    const { told, exitCode } = describeFailure(error);
    io.complain(`${told}\n`);
    return exitCode;
  }
}

async function runCommand([name, ...words]: readonly string[], io: CommandIo): Promise<number> {
  if (name === undefined) throw new UsageError(formatProgramHelp(await loadCommands(), plainly).trimEnd());
  if (name === "--help" || name === "-h" || name === "help") return showHelp(words[0], io);
  if (name === "--version" || name === "-v") return print(`${readVersion()}\n`, io);
  const command = await findCommand(name);
  if (words.some((word) => word === "--help" || word === "-h")) return showHelp(name, io);
  const { values, positionals } = parseArguments(command, words);
  return command.run(values, positionals, io);
}

async function showHelp(name: string | undefined, io: CommandIo): Promise<number> {
  const help =
    name === undefined
      ? formatProgramHelp(await loadCommands(), io.style)
      : formatCommandHelp(await findCommand(name), io.style);
  return print(help, io);
}

function print(text: string, io: CommandIo): number {
  io.write(text);
  return exitCodes.fine;
}

async function findCommand(name: string): Promise<Command> {
  const found = await loadCommand(name);
  if (found !== undefined) return found;
  const closest = closestName(name, commandNames);
  const hint = closest === undefined ? "" : ` Did you mean ${JSON.stringify(closest)}?`;
  const kind = name.startsWith("-") ? "option" : "command";
  throw new UsageError(
    `There is no ${kind} ${JSON.stringify(name)}.${hint} The commands are ${commandNames.join(", ")}; see waymark --help.`,
  );
}

function plainly(_format: unknown, text: string): string {
  return text;
}
