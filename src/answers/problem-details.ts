import { STATUS_CODES } from "node:http";
import { GatewayError } from "../errors.ts";

/** What errors of Express, and of others in its manner, say of the answer to them. */
type HttpError = Readonly<
  Record<"status" | "statusCode", number | undefined> & {
    expose: boolean | undefined;
    message: unknown;
    headers: Record<string, string> | undefined;
  }
>;

/** The media type of problems. */
export const problemType = "application/problem+json";

/** An error as a client may see it: RFC 9457, with the stable code of a gateway error. */
type Problem = Readonly<{ type: "about:blank"; title: string; status: number; detail?: string; code?: string }>;

/** What a client learns of an error: of one that is not meant for clients, its status alone. */
export function describeProblem(error: unknown): Problem {
  const { status, statusCode, expose, message } = readHttpError(error);
  const claimed = status ?? statusCode ?? 500;
  const shown = Number.isInteger(claimed) && claimed >= 400 && claimed <= 599 ? claimed : 500;
  return {
    type: "about:blank",
    title: STATUS_CODES[shown] ?? "Error",
    status: shown,
    ...((expose ?? shown < 500) && typeof message === "string" ? { detail: message } : {}),
    ...(error instanceof GatewayError ? { code: error.code } : {}),
  };
}

/** Reads what an error says of its answer. Anything can be thrown, even an object whose members throw when they are read. */
export function readHttpError(error: unknown): Partial<HttpError> {
  try {
    const { status, statusCode, expose, message, headers } = (error ?? {}) as Partial<HttpError>;
    return { status, statusCode, expose, message, headers: headers && { ...headers } };
  } catch {
    return {};
  }
}
