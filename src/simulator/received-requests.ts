import { whenRejected } from "../when-rejected.ts";

/** One try to send a request to a replica. */
export type Attempt = Readonly<{
  url: string;
  /** The status of the replica's answer, or why there was none: `unreachable`, `dropped`, `late`, `tls-failure`, `ill-formed`. */
  result: string;
}>;

/** A request that the simulator received, and what became of it. */
export type ReceivedRequest = Readonly<{
  method: string;
  /** The request target, byte for byte. */
  url: string;
  /** The registered name of the service it was for. */
  service: string | undefined;
  /** Where it was sent, in order; empty when it could not be resolved. */
  attempts: readonly Attempt[];
  /** What the client got; undefined while that is open, and when its connection was dropped. */
  status: number | undefined;
  reason: string | undefined;
}>;

/** A received request while it is being answered. */
export type OpenRequest = {
  -readonly [Member in keyof ReceivedRequest]: Member extends "attempts" ? Attempt[] : ReceivedRequest[Member];
};

/** Keeps the last requests and tells when one is settled. */
export type RequestLog = Readonly<{
  requests: () => readonly ReceivedRequest[];
  open: (method: string, url: string) => OpenRequest;
  settled: (request: ReceivedRequest) => void;
}>;

/** Makes the log; `onRequest` is told before the client gets its answer. */
export function createRequestLog(limit: number, onRequest?: (request: ReceivedRequest) => void): RequestLog {
  const kept: OpenRequest[] = [];
  return {
    requests: () => [...kept],
    open(method, url) {
      const request: OpenRequest = {
        method,
        url,
        service: undefined,
        attempts: [],
        status: undefined,
        reason: undefined,
      };
      kept.push(request);
      if (kept.length > limit) kept.shift();
      return request;
    },
    settled(request) {
      try {
        whenRejected(onRequest?.(request), warn);
      } catch (error) {
        warn(error);
      }
    },
  };
}

/** No code above could catch it, and the answer must still leave. */
function warn(error: unknown): void {
  process.emitWarning(`onRequest of the naming simulator threw: ${String(error)}`);
}
