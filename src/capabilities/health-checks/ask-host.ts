import { Readable } from "node:stream";
import { askTwice } from "../../forwarding/retry-over-new-connection.ts";
import type { Engine, EngineAnswer } from "../../forwarding/engines/engine.ts";
import { isOwnLack } from "../../forwarding/no-room-for-connections.ts";
import { findForeignCoding } from "../../headers/answer-headers.ts";
import { hostOf } from "../../hosts/host-origin.ts";
import { after, ignoreErrors, nextTurn } from "../../unattended/guarded.ts";
import type { ConnectionSettings } from "../tls/connection-settings.ts";
import type { HealthCheck } from "./health-check.ts";

/** A host, and how it is asked. */
export type CheckedPlace = Readonly<{ origin: string; check: HealthCheck; connection: ConnectionSettings }>;

/** One check under way: whether the host is well, where that can be told, and how to give it up. */
export type Asking = Readonly<{ isWell: Promise<boolean | undefined>; stop: () => void }>;

/** Asks a host once how it is; it never fails, as a failure says that the host is not well, or nothing where it is ours. */
export function askHost(engine: Pick<Engine, "forward">, { origin, check, connection }: CheckedPlace): Asking {
  const listeners: ((reason: Error) => void)[] = [];
  const { promise: isLate, resolve: endLate } = Promise.withResolvers<false>();
  const stop = (): void => {
    listeners.splice(0).forEach((tell) => tell(new Error("The check has ended.")));
    // An engine of the user's may not give up; the others tell by then why they have.
    nextTurn(() => endLate(false));
  };
  const timer = after(check.timeout, stop).unref();
  const outgoing = {
    method: "GET",
    origin,
    path: check.path,
    headers: { host: hostOf(origin), accept: "*/*" },
    body: null,
  };
  const ask = (): Promise<EngineAnswer> =>
    engine.forward(outgoing, { connection, onCancel: (one) => listeners.push(one) });
  const judged = askTwice(ask, { outgoing }).then(judge, (failure: unknown) =>
    isOwnLack(failure) ? undefined : false,
  );
  const isWell = Promise.race([judged, isLate]).finally(() => clearTimeout(timer));
  return { isWell, stop };
}

/** The status counts, of an answer that clients could get; a body that is not here yet is given up, with its connection. */
function judge({ status, rawHeaders, body }: EngineAnswer): boolean {
  if (body instanceof Readable) {
    ignoreErrors(body);
    body.destroy();
  } else if (body.takeWhole() === undefined) {
    body.flow.abort(new Error("The rest of a health check's answer is not needed."));
  }
  return status >= 200 && status <= 299 && findForeignCoding(rawHeaders) === undefined;
}
