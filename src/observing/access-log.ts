import { shownRouteId } from "../secrets/shown-route.ts";
import { GatewayError } from "../errors.ts";
import type { Logger } from "../logging/logger.ts";
import type { RequestObserver, RequestRecord } from "./observer.ts";

/** Writes one line for each request, at level `info`; a pino logger fits as it is. */
export function accessLog(logger: Pick<Logger, "info">): RequestObserver {
  requireLogger(logger);
  const observed = { ended: (record: RequestRecord) => logger.info(fieldsOf(record), messageOf(record)) };
  return { begin: () => observed };
}

function requireLogger(logger: unknown): void {
  if (typeof (logger as Partial<Logger> | undefined)?.info === "function") return;
  throw new GatewayError(
    "option-invalid",
    "accessLog() takes a logger with a function info(fields, message): accessLog(pino()).",
  );
}

function fieldsOf({ route, startedAt, duration, answeredAfter, ...others }: RequestRecord): object {
  return {
    route: shownRouteId(route),
    ...others,
    startedAt: new Date(startedAt).toISOString(),
    duration: rounded(duration),
    answeredAfter: answeredAfter === undefined ? undefined : rounded(answeredAfter),
  };
}

function messageOf({ method, mountPath, path, target, status, duration }: RequestRecord): string {
  const sent = target === undefined ? "" : ` -> ${target}`;
  return `${method} ${mountPath}${path}${sent} ${status} ${Math.round(duration)} ms`;
}

/** Microseconds say nothing about the network. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
