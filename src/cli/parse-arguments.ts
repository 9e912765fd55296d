import { parseArgs } from "node:util";
import { closestName } from "../closest-name.ts";
import { type Command, type CommandOption, type OptionValues, UsageError } from "./command.ts";

/** The options and positionals of a command, checked. */
type ParsedArguments = Readonly<{
  values: OptionValues<Readonly<Record<string, CommandOption>>>;
  positionals: readonly string[];
}>;

type Token = Extract<NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number], { kind: "option" }>;

/** Parses what follows the name of a command; throws a {@link UsageError} that says what is wrong, and what was meant. */
export function parseArguments(command: Command, words: readonly string[]): ParsedArguments {
  const { values, positionals, tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(Object.entries(command.options).map(toParseArgs)),
    allowPositionals: true,
    // The messages of strict parsing know neither what was probably meant nor how the command is used.
    strict: false,
    tokens: true,
  });
  for (const token of tokens) if (token.kind === "option") checkOption(token, command);
  checkPositionals(positionals, command);
  return { values: values as ParsedArguments["values"], positionals };
}

function toParseArgs([name, { type, short, multiple, default: standard }]: [string, CommandOption]): [
  string,
  NonNullable<Parameters<typeof parseArgs>[0]>["options"] extends infer Options
    ? NonNullable<Options>[keyof Options]
    : never,
] {
  return [
    name,
    {
      type,
      ...(short === undefined ? {} : { short }),
      ...(multiple === undefined ? {} : { multiple }),
      ...(standard === undefined ? {} : { default: standard }),
    },
  ];
}

function checkOption({ name, rawName, value, inlineValue }: Token, command: Command): void {
  const option = Object.hasOwn(command.options, name) ? command.options[name] : undefined;
  if (option === undefined) throw unknownOption(rawName, command);
  if (option.type === "boolean") {
    if (value !== undefined) throw wrongUse(command, `${rawName} takes no value, received ${JSON.stringify(value)}.`);
    return;
  }
  const isMissing = value === undefined || value === "" || (!inlineValue && /^-\D/.test(value));
  if (isMissing) throw wrongUse(command, `${rawName} needs a value: ${rawName} <${option.value ?? "value"}>.`);
  if (option.choices?.includes(value) === false) throw wrongChoice(rawName, value, option.choices);

  function wrongChoice(written: string, received: string, choices: readonly string[]): UsageError {
    const hint = hintFor(closestName(received, choices));
    return wrongUse(command, `${written} is ${choices.join(" or ")}, received ${JSON.stringify(received)}.${hint}`);
  }
}

function unknownOption(rawName: string, command: Command): UsageError {
  const names = ["help", ...Object.keys(command.options)].map((name) => `--${name}`);
  const hint = hintFor(closestName(rawName, names));
  return wrongUse(command, `waymark ${command.name} has no option ${JSON.stringify(rawName)}.${hint}`);
}

function checkPositionals(positionals: readonly string[], command: Command): void {
  const { least, most } = command.positionals;
  if (positionals.length >= least && positionals.length <= most) return;
  const received = positionals.length === 0 ? "nothing" : positionals.map((word) => JSON.stringify(word)).join(" ");
  const usage = command.usage === "" ? "nothing but options" : command.usage;
  throw wrongUse(command, `waymark ${command.name} takes ${usage}, received ${received}.`);
}

function hintFor(closest: string | undefined): string {
  return closest === undefined ? "" : ` Did you mean ${closest}?`;
}

function wrongUse(command: Command, message: string): UsageError {
  return new UsageError(`${message} See waymark ${command.name} --help.`);
}
