import { arrivedAt, type Departures, stopsTheStart } from "./departure.ts";

/** The one function of a name is called by every route. */
function stampedBy(handler: string, call: number, target: string): object {
  return { arrived: [arrivedAt(target, { "x-inst": `${handler}#1 call ${call}` })] };
}

/** Where delegating handlers differ. */
export const handlersDepartures: Departures = {
  "ha-005": stopsTheStart("D4"),
  "ha-006": stopsTheStart("D4"),
  "ha-007": stopsTheStart("D4"),
  "ha-013": stopsTheStart("D4"),
  "ha-014": stopsTheStart("D4"),
  "ha-020": stopsTheStart("D5"),
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
  "ha-035": { because: "D27", exchanges: { 2: stampedBy("OneHandler", 3, "/b"), 3: stampedBy("OneHandler", 4, "/a") } },
  "ha-036": { because: "D27", exchanges: { 1: stampedBy("OneHandler", 1, "/a"), 2: stampedBy("TwoHandler", 1, "/c") } },
  "ha-037": { because: "D27", exchanges: { 1: stampedBy("GloHandler", 2, "/b"), 2: stampedBy("GloHandler", 3, "/a") } },
  // What a handler throws goes to next(error), whatever it is called.
  "ha-071": { because: "D13", exchanges: { 0: { answer: { status: 500 } } } },
  "ha-087": {
    because: "D1",
    exchanges: {
      0: {
        answer: { headers: { "x-order": "OneHandler>GloHandler" } },
        arrived: [arrivedAt("/x", { "x-order": "GloHandler>OneHandler" })],
      },
    },
  },
  "ha-090": { because: "D13", exchanges: { 0: { answer: { status: 504, body: "", headers: {} } } } },
  "ha-085": stopsTheStart("D4"),
};
