import { inspect } from "node:util";
import { whenRejected } from "../when-rejected.ts";
import { describeError } from "./describe-error.ts";
import { escapeWithinLines } from "./escape-controls.ts";

type LogMethod = (fields: object, message: string) => void;

const levels = ["error", "warn", "info", "debug"] as const;

type Level = (typeof levels)[number];

/** Where the gateway writes what happens; a pino logger fits as it is. */
export type Logger = Readonly<Record<Level, LogMethod>>;

type AnyLogger = Readonly<Record<Level, (fields: object, message: string) => unknown>>;

const ignore: LogMethod = () => undefined;

const silentLogger: Logger = { error: ignore, warn: ignore, info: ignore, debug: ignore };

const consoleLogger: Logger = {
  ...silentLogger,
  error: (fields, message) => console.error("%s", textOf(fields, message)),
  warn: (fields, message) => console.warn("%s", textOf(fields, message)),
};

/** Errors quote what services and clients send, and a terminal must obey none of it. */
function textOf(fields: object, message: string): string {
  return escapeWithinLines(`${message} ${inspect(fields)}`);
}

const guardedLoggers = new WeakSet<Logger>();

/** The logger for an option: the user's own, none for `false`, else the console for warnings and errors. */
export function chooseLogger(option: Logger | false | undefined): Logger {
  if (option === false) return silentLogger;
  return guardLogger(option ?? consoleLogger);
}

/** Much is logged where no code above would catch an error: a logger that throws must not end the process. */
function guardLogger(logger: Logger): Logger {
  if (guardedLoggers.has(logger)) return logger;
  const guarded = Object.fromEntries(levels.map((level) => [level, guardMethod(logger, level)])) as Logger;
  guardedLoggers.add(guarded);
  return guarded;
}

function guardMethod(logger: Logger, level: Level): LogMethod {
  return function logGuarded(fields, message) {
    try {
      whenRejected((logger as AnyLogger)[level](withoutBytes(fields), message), reportFailedLogger);
    } catch (error) {
      reportFailedLogger(error);
    }
  };
}

function withoutBytes(fields: object): object {
  return "err" in fields ? { ...fields, err: describeError(fields.err) } : fields;
}

function reportFailedLogger(error: unknown): void {
  console.error("The logger failed; requests go on.", error);
}
