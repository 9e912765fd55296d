import { shownRouteId } from "../secrets/shown-route.ts";
import { GatewayError } from "../errors.ts";
import type { Logger } from "../logging/logger.ts";
import { refuseUnknownOptions } from "../options/refuse-unknown-options.ts";
import type { PartRecord, RequestObserver, RequestRecord } from "./observer.ts";

/** What {@link accessLog} takes besides the logger. */
type AccessLogOptions = Readonly<{
  /** Whether each line says who was let in, as scheme and pseudonym; by default it does not. */
  identity?: boolean;
}>;

/** Writes one line for each request, at level `info`; a pino logger fits as it is. */
export function accessLog(logger: Pick<Logger, "info">, options: AccessLogOptions = {}): RequestObserver {
  requireLogger(logger);
  refuseUnknownOptions(options, { identity: true }, "accessLog()");
  const toFields = options.identity === true ? fieldsWithIdentity : fieldsOf;
  const observedPart = { ended: (record: PartRecord) => logger.info(toFields(record), messageOfPart(record)) };
  const observed = {
    ended: (record: RequestRecord) => logger.info(toFields(record), messageOf(record)),
    part: () => observedPart,
  };
  return { begin: () => observed };
}

function requireLogger(logger: unknown): void {
  if (typeof (logger as Partial<Logger> | undefined)?.info === "function") return;
  throw new GatewayError(
    "option-invalid",
    "accessLog() takes a logger with a function info(fields, message): accessLog(pino()).",
  );
}

function fieldsWithIdentity(record: RequestRecord | PartRecord): object {
  return { ...fieldsOf(record), identity: record.identity };
}

function fieldsOf({ route, startedAt, duration, ...others }: RequestRecord | PartRecord): object {
  return {
    route: shownRouteId(route),
    ...others,
    identity: undefined,
    startedAt: new Date(startedAt).toISOString(),
    duration: rounded(duration),
    ...("aggregate" in others
      ? { aggregate: shownRouteId(others.aggregate) }
      : { answeredAfter: others.answeredAfter === undefined ? undefined : rounded(others.answeredAfter) }),
  };
}

function messageOfPart({ route, aggregate, method, target, status, duration }: PartRecord): string {
  const sent = target === undefined ? "" : ` -> ${target}`;
  const part = `part ${shownRouteId(route)} of ${shownRouteId(aggregate)}`;
  return `${method} ${part}${sent} ${status} ${Math.round(duration)} ms`;
}

function messageOf({ method, mountPath, path, target, status, duration }: RequestRecord): string {
  const sent = target === undefined ? "" : ` -> ${target}`;
  return `${method} ${mountPath}${path}${sent} ${status} ${Math.round(duration)} ms`;
}

/** Microseconds say nothing about the network. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
