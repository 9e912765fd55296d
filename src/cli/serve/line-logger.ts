import type { Logger } from "../../logger.ts";

const levels = { error: 50, warn: 40, info: 30, debug: 20 } as const;

/** A logger that writes one JSON object a line, in the shape that pino has made common. */
export function createLineLogger(write: (text: string) => void): Logger & Readonly<{ flush: () => void }> {
  let pending = "";
  return { error: at("error"), warn: at("warn"), info: at("info"), debug: () => undefined, flush };

  function at(level: keyof typeof levels): Logger["info"] {
    return function logLine(fields, message) {
      // What one turn of the event loop has to say is written at once: a write for each request would cost more than the line.
      if (pending === "") setImmediate(flush);
      pending += `${formatLine(levels[level], fields, message)}\n`;
    };
  }

  function flush(): void {
    if (pending === "") return;
    const text = pending;
    pending = "";
    write(text);
  }
}

function formatLine(level: number, fields: object, message: string): string {
  const line = { level, time: Date.now(), pid: process.pid, ...fields, msg: message };
  return JSON.stringify(line, (_key, value: unknown) => (value instanceof Error ? describeError(value) : value));
}

function describeError(error: Error): object {
  const { name, message, stack, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  // A name with several addresses fails with one error for each.
  const errors = error instanceof AggregateError ? (error.errors as unknown[]) : undefined;
  return { type: name, message, code, stack, cause, errors };
}
