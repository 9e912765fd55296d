import type { IncomingMessage } from "node:http";

/** A request as the gateway sent it. */
export type SentRequest = Readonly<{ method: string; url: string; headers: Readonly<Record<string, string>> }>;

/** A request as a service got it. */
export type Arrival = Readonly<{ service: string; method: string; target: string }>;

/** What became of one request of a client. */
export type Trace = { route?: string; sent?: SentRequest; arrivals: Arrival[] };

/** Remembers, by request id, what was sent where. */
export type Traces = Readonly<{
  find: (id: string) => Trace | undefined;
  noteSent: (id: string | undefined, route: string, sent: SentRequest) => void;
  noteArrival: (service: string, req: IncomingMessage) => void;
}>;

const keptTraces = 200;

/** Makes a memory of the last requests. */
export function createTraces(): Traces {
  const traces = new Map<string, Trace>();

  return {
    find: (id) => traces.get(id),
    noteSent(id, route, sent) {
      if (id !== undefined) Object.assign(traceOf(id), { route, sent });
    },
    noteArrival(service, { headers, method = "", url = "" }) {
      const id = headers["x-request-id"];
      if (typeof id === "string") traceOf(id).arrivals.push({ service, method, target: url });
    },
  };

  function traceOf(id: string): Trace {
    const trace = traces.get(id) ?? { arrivals: [] };
    traces.set(id, trace);
    const oldest = traces.keys().next().value;
    if (traces.size > keptTraces && oldest !== undefined) traces.delete(oldest);
    return trace;
  }
}
