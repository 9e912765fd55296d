import { escapeControls } from "../../logging/escape-controls.ts";
import type { Logger } from "../../logging/logger.ts";
import { createLineQueue, type LineQueue, type WriteText } from "./line-queue.ts";

/** A logger whose lines may wait for their reader, and which takes finished lines of other processes, too. */
export type LineLogger = Logger &
  Pick<LineQueue, "flush" | "finish"> &
  Readonly<{
    /** Takes whole lines, each with its line feed. */
    relay: (lines: string) => void;
  }>;

const levels = { error: 50, warn: 40, info: 30, debug: 20 } as const;

type Level = keyof typeof levels;

const urgentLevel = levels.warn;
// Room for a URL of the greatest length that Node takes.
const longestText = 16_384;

/** A logger that writes one JSON object a line, in the shape that pino has made common. */
export function createLineLogger(write: WriteText): LineLogger {
  const { refuses, add, flush, finish } = createLineQueue(write, reportDropped);
  return { error: at("error"), warn: at("warn"), info: at("info"), debug: () => undefined, flush, finish, relay };

  function at(level: Level): Logger["info"] {
    const isUrgent = levels[level] >= urgentLevel;
    return function logLine(fields, message) {
      if (!refuses(isUrgent)) add(formatLine(level, fields, message), isUrgent);
    };
  }

  function relay(lines: string): void {
    for (let begin = 0; begin < lines.length;) {
      const end = lines.indexOf("\n", begin) + 1;
      add(lines.slice(begin, end), isUrgentLine(lines, begin));
      begin = end;
    }
  }
}

const urgentBeginnings = [`{"level":${levels.warn},`, `{"level":${levels.error},`];

function isUrgentLine(lines: string, begin: number): boolean {
  return urgentBeginnings.some((beginning) => lines.startsWith(beginning, begin));
}

function reportDropped(dropped: number): string {
  const message = `${dropped} lines of the log were dropped, as they were not read as fast as they were written.`;
  return formatLine("warn", { dropped }, message);
}

function formatLine(level: Level, fields: object, message: string): string {
  const head = { level: levels[level], time: Date.now(), pid: process.pid };
  try {
    return `${escapeControls(JSON.stringify({ ...head, ...fields, msg: message }, replaceValue))}\n`;
  } catch (error) {
    // An error may hold anything, even itself.
    return `${escapeControls(JSON.stringify({ ...head, unprintable: String(error), msg: message }, replaceValue))}\n`;
  }
}

function replaceValue(_key: string, value: unknown): unknown {
  if (typeof value === "string") return value.length > longestText ? `${value.slice(0, longestText)}…` : value;
  return describeValue(value, 0);
}

const deepestCause = 4;
const mostErrors = 10;

function describeValue(value: unknown, depth: number): unknown {
  return value instanceof Error ? describeError(value, depth) : value;
}

/** Causes may go round in a circle. */
function describeError(error: Error, depth: number): object | undefined {
  if (depth > deepestCause) return undefined;
  const { name, message, stack, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  // A name with several addresses fails with one error for each.
  const errors = error instanceof AggregateError ? (error.errors as unknown[]).slice(0, mostErrors) : undefined;
  return {
    type: name,
    message,
    code,
    stack,
    cause: describeValue(cause, depth + 1),
    errors: errors?.map((one) => describeValue(one, depth + 1)),
  };
}
