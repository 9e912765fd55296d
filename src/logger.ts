type LogMethod = (fields: object, message: string) => void;

/** Where the gateway writes what happens; a pino logger fits as it is. */
export type Logger = Readonly<Record<"error" | "warn" | "info" | "debug", LogMethod>>;

const ignore: LogMethod = () => undefined;

const silentLogger: Logger = { error: ignore, warn: ignore, info: ignore, debug: ignore };

const consoleLogger: Logger = {
  ...silentLogger,
  error: (fields, message) => console.error(message, fields),
  warn: (fields, message) => console.warn(message, fields),
};

/** The logger for an option: the user's own, none for `false`, else the console for warnings and errors. */
export function chooseLogger(option: Logger | false | undefined): Logger {
  if (option === false) return silentLogger;
  return option ?? consoleLogger;
}
