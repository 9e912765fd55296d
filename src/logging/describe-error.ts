/**
 * The members of an error that a log may hold besides message, stack and cause: none of them is what was sent or
 * received.
 */
const harmlessMembers: ReadonlySet<string> = new Set([
  ...["name", "code", "errno", "syscall", "address", "port", "host", "hostname", "reason", "library", "function"],
  ...["status", "statusCode", "expose", "headers", "type", "route", "key"],
]);

const mostCauses = 8;

type Caused = Readonly<{ cause?: unknown; errors?: unknown }>;

/**
 * An error as it may be logged. Node's parser, TLS, body parsers and HTTP clients hang on theirs what they worked at, such
 * as the bytes of an answer or a certificate, and a logger writes all that it finds: of such an error a copy is logged.
 */
export function describeError(error: unknown): unknown {
  try {
    return isRevealing(error, 0) ? copyOf(error as Error & Caused, 0) : error;
  } catch {
    // Anything can be thrown, even an object whose members throw when they are read.
    return new Error("What failed cannot be described.");
  }
}

/** A copy of an error as it may be logged, every text in it rewritten. */
export function rewriteError(error: Error, rewrite: (text: string) => string): unknown {
  try {
    return copyOf(error, 0, rewrite);
  } catch {
    return new Error("What failed cannot be described.");
  }
}

/** Whether an error, or one of its causes, has members of unknown content. */
function isRevealing(error: unknown, depth: number): boolean {
  if (typeof error !== "object" || error === null) return false;
  if (depth > mostCauses || !isError(error) || !Object.entries(error).every(isHarmless)) return true;
  const { cause, errors } = error as Caused;
  return isRevealing(cause, depth + 1) || (Array.isArray(errors) && errors.some((one) => isRevealing(one, depth + 1)));
}

function isError(value: object): boolean {
  return Object.prototype.toString.call(value) === "[object Error]" || value instanceof Error;
}

function isHarmless([name, value]: readonly [string, unknown]): boolean {
  if (name === "cause" || name === "errors") return true;
  return harmlessMembers.has(name) && isEmptyOrPlain(value);
}

function isEmptyOrPlain(value: unknown): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}

function asItIs(text: string): string {
  return text;
}

function copyOf(error: Error & Caused, depth: number, rewrite = asItIs): Error {
  const { message, stack, cause, errors } = error;
  const copy: Error & { errors?: unknown } = new Error(typeof message === "string" ? rewrite(message) : "");
  // A stack is no member that loggers enumerate.
  Object.defineProperty(copy, "stack", { value: typeof stack === "string" ? rewrite(stack) : "", configurable: true });
  const name: unknown = error.name;
  if (typeof name === "string" && name !== "Error") copy.name = name;
  for (const [key, value] of Object.entries(error).filter(isHarmless) as [string, unknown][]) {
    if (key === "cause" || key === "errors") continue;
    Object.assign(copy, { [key]: typeof value === "string" ? rewrite(value) : value });
  }
  if (cause !== undefined && depth < mostCauses) copy.cause = describeNext(cause, depth, rewrite);
  if (Array.isArray(errors) && depth < mostCauses)
    copy.errors = (errors as unknown[]).map((one) => describeNext(one, depth, rewrite));
  return copy;
}

function describeNext(error: unknown, depth: number, rewrite: typeof asItIs): unknown {
  if (typeof error === "string") return rewrite(error);
  return typeof error === "object" && error !== null ? copyOf(error as Error & Caused, depth + 1, rewrite) : error;
}
