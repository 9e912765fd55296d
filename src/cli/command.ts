/** What an option of a command is, in the words of `parseArgs`, and how the help tells of it. */
export type CommandOption = Readonly<{
  type: "string" | "boolean";
  short?: string;
  multiple?: boolean;
  default?: string;
  /** The only values there are; the help names them and anything else is refused. */
  choices?: readonly string[];
  /** What stands for the value in the help, e.g. `number`; not for a boolean. */
  value?: string;
  /** One line of help, without a full stop. */
  description: string;
}>;

/** The values of the options of a command, as `parseArgs` gives them: undefined where one was not given and has no default. */
export type OptionValues<Options extends Readonly<Record<string, CommandOption>>> = {
  readonly [Name in keyof Options]: Given<Options[Name]>;
};

type Given<Option extends CommandOption> =
  | (Option extends { multiple: true } ? readonly Single<Option>[] : Single<Option>)
  | (Option extends { default: string } ? never : undefined);

type Single<Option extends CommandOption> = Option extends { type: "boolean" }
  ? boolean
  : Option extends { choices: readonly (infer Choice)[] }
    ? Choice
    : string;

/** Where a command writes and what it reads of its surroundings, so that it touches no global. */
export type CommandIo = Readonly<{
  /** Writes to stdout what was asked for; a line feed at the end is the caller's. */
  write: (text: string) => void;
  /** Writes to stderr what went wrong. */
  complain: (text: string) => void;
  /** Reads stdin to its end. */
  read: () => Promise<string>;
  /** Colours a text for stdout with the formats of `util.styleText`; on no terminal the text stays as it is. */
  style: (format: TextStyle | TextStyle[], text: string) => string;
  environment: Readonly<Record<string, string | undefined>>;
}>;

/** The looks that the commands use. */
export type TextStyle = "bold" | "dim" | "red" | "green" | "yellow" | "cyan" | "underline";

/** One example of a command, shown by its help. */
type CommandExample = Readonly<{ line: string; explanation: string }>;

/** One command of the `waymark` program: what the help says, what is parsed, and what it does. */
export type Command<Options extends Readonly<Record<string, CommandOption>> = Readonly<Record<string, CommandOption>>> =
  Readonly<{
    name: string;
    /** One line for the list of commands, without a full stop. */
    summary: string;
    /** The positionals as the help shows them, e.g. `<gateway.json> <METHOD> <path>`. */
    usage: string;
    /** How many positionals there may be; other numbers are wrong usage. */
    positionals: Readonly<{ least: number; most: number }>;
    options: Options;
    examples: readonly CommandExample[];
    /** Does the work and returns the exit code: 0 fine, 1 problems found, 2 wrong usage or unreadable. */
    run: (values: OptionValues<Options>, positionals: readonly string[], io: CommandIo) => Promise<number>;
  }>;

/** Declares a command: `run` sees its options with their types. */
export function defineCommand<const Options extends Readonly<Record<string, CommandOption>>>(
  command: Command<Options>,
): Command {
  // parseArgs gives exactly what the options declare.
  return command as unknown as Command;
}

/** Wrong usage, or a file that cannot be read: the message is shown and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
