import type { TraceAnswer, TraceArrival } from "../trace.ts";

/** Where a trace is answered otherwise on purpose: the number of the difference in the contract, and what comes instead. */
export type Departure = Readonly<{
  because: string;
  /** Why the number is another one than that which the trace itself gives, where it is. */
  misjudged?: string;
  starts?: boolean;
  /** By the index of the request. */
  exchanges?: Readonly<Record<number, ChangedExchange>>;
}>;

/** The departures of an area, by the id of the trace. */
export type Departures = Readonly<Record<string, Departure>>;

/** What is not named is as recorded; the headers of a refusal are those that it must have. */
export type ChangedExchange = Readonly<{ answer?: Partial<TraceAnswer>; arrived?: readonly TraceArrival[] }>;

/** A configuration that is refused. */
export function stopsTheStart(because: string): Departure {
  return { because, starts: false };
}

/** A request that is refused, and of which nothing arrives. */
export function refusal(status: number, headers: TraceAnswer["headers"] = {}): ChangedExchange {
  return { answer: { status, body: "", headers }, arrived: [] };
}

/** A GET that arrives. */
export function arrivedAt(target: string, headers: TraceArrival["headers"] = {}): TraceArrival {
  return { at: "A", method: "GET", target, headers, body: "" };
}
