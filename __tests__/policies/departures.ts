import type { TraceAnswer, TraceArrival } from "./trace.ts";

/** Where a trace is answered otherwise on purpose: the number of the difference in the contract, and what comes instead. */
export type Departure = Readonly<{
  because: string;
  starts?: boolean;
  /** By the index of the request. */
  exchanges?: Readonly<Record<number, ChangedExchange>>;
}>;

/** What is not named is as recorded. */
type ChangedExchange = Readonly<{ answer?: Partial<TraceAnswer>; arrived?: readonly TraceArrival[] }>;

const stopsTheStart = (because: string): Departure => ({ because, starts: false });
const notFound = { answer: { status: 404, body: "" }, arrived: [] } as const;
const timeOut = { answer: { status: 504 } } as const;

function echoOf(target: string): string {
  return JSON.stringify({ at: "A", method: "GET", target, body: "" });
}

function arrivedAt(target: string, headers: TraceArrival["headers"] = {}): TraceArrival {
  return { at: "A", method: "GET", target, headers, body: "" };
}

/** The departures, by the id of the trace. */
export const departures: Readonly<Record<string, Departure>> = {
  "cf-003": { because: "D22" },
  "cf-008": { because: "D13", exchanges: { 0: timeOut } },
  // The route with a Timeout of -1; one of 0 takes the global one.
  "cf-009": stopsTheStart("D30"),
  "cf-011": { because: "D13", exchanges: { 0: timeOut } },
  "cf-039": stopsTheStart("D5"),
  "cf-098": {
    because: "D31",
    exchanges: { 0: { arrived: [arrivedAt("/r1", { "x-metadata": 'a=[1,2];o={"x":1};s=kept' })] } },
  },
  "cf-106": { because: "D31", exchanges: { 0: notFound } },
  "cf-108": { because: "D31", starts: true },
  "cf-114": stopsTheStart("D5"),
  "cf-115": stopsTheStart("D5"),
  "cf-118": stopsTheStart("D5"),
  // Seconds may have a fraction.
  "cf-122": {
    because: "D5",
    exchanges: { 0: { answer: { status: 200, body: echoOf("/r1") }, arrived: [arrivedAt("/r1")] } },
  },
  "cf-123": stopsTheStart("D5"),
  "cf-124": { because: "D13", exchanges: { 0: timeOut } },
  // A text is a list of one, so that the second request, by POST, does not match.
  "cf-125": { because: "D5", exchanges: { 1: notFound } },
  "cf-128": stopsTheStart("D5"),
  "cf-132": stopsTheStart("D5"),
  "cf-134": stopsTheStart("D5"),
  "ha-032": {
    because: "D27",
    exchanges: {
      0: {
        answer: { headers: { "x-order": "OneHandler" } },
        arrived: [arrivedAt("/x", { "x-order": "OneHandler" })],
      },
    },
  },
  "ha-033": {
    because: "D27",
    exchanges: {
      0: {
        answer: { headers: { "x-order": "GloHandler" } },
        arrived: [arrivedAt("/x", { "x-order": "GloHandler" })],
      },
    },
  },
  "ha-034": stopsTheStart("D4"),
};
