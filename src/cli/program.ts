import { closestName } from "../closest-name.ts";
import { type CommandIo, exitCodes, UsageError } from "./command.ts";
import { commands } from "./commands.ts";
import { describeFailure } from "./describe-failure.ts";
import { formatCommandHelp, formatProgramHelp } from "./help.ts";
import { parseArguments } from "./parse-arguments.ts";
import { readVersion } from "./read-version.ts";

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
  if (name === undefined) throw new UsageError(formatProgramHelp(commands, plainly).trimEnd());
  if (name === "--help" || name === "-h" || name === "help") return showHelp(words[0], io);
  if (name === "--version" || name === "-v") return print(`${readVersion()}\n`, io);
  const command = findCommand(name);
  if (words.some((word) => word === "--help" || word === "-h")) return showHelp(name, io);
  const { values, positionals } = parseArguments(command, words);
  return command.run(values, positionals, io);
}

function showHelp(name: string | undefined, io: CommandIo): number {
  const help =
    name === undefined ? formatProgramHelp(commands, io.style) : formatCommandHelp(findCommand(name), io.style);
  return print(help, io);
}

function print(text: string, io: CommandIo): number {
  io.write(text);
  return exitCodes.fine;
}

function findCommand(name: string): (typeof commands)[number] {
  const found = commands.find((command) => command.name === name);
  if (found !== undefined) return found;
  const names = commands.map((command) => command.name);
  const closest = closestName(name, names);
  const hint = closest === undefined ? "" : ` Did you mean ${JSON.stringify(closest)}?`;
  const kind = name.startsWith("-") ? "option" : "command";
  throw new UsageError(
    `There is no ${kind} ${JSON.stringify(name)}.${hint} The commands are ${names.join(", ")}; see waymark --help.`,
  );
}

function plainly(_format: unknown, text: string): string {
  return text;
}
