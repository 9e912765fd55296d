import type { Logger } from "../../logging/logger.ts";

/** Logs failures of schemes, of each scheme one in ten seconds: an issuer that is down fails every request. */
export type FailureLog = Readonly<{ note: (scheme: string, error: unknown) => void }>;

const pauseMilliseconds = 10_000;

/** Makes the log of one configuration's schemes. */
export function createFailureLog(logger: Logger): FailureLog {
  const lastAt = new Map<string, number>();
  return {
    note(scheme, error) {
      const now = performance.now();
      if (now - (lastAt.get(scheme) ?? -Infinity) < pauseMilliseconds) return;
      lastAt.set(scheme, now);
      logger.warn({ scheme, ...describe(error) }, "An authentication scheme failed; its requests get 503.");
    },
  };
}

/** Nothing else of an error: it may hang on to a request with its credentials. Anything can be thrown. */
function describe(error: unknown): object {
  try {
    const { code, message } = (error ?? {}) as Readonly<{ code?: unknown; message?: unknown }>;
    return { code, reason: message };
  } catch {
    return { reason: "Its error cannot be read." };
  }
}
