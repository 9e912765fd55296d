import { arrivedAt, type ChangedExchange, type Departures, refusal, stopsTheStart } from "./departure.ts";

const timeOut: ChangedExchange = { answer: { status: 504, body: "", headers: {} } };
const refused = refusal(503);
const atB = { ...arrivedAt("/a"), at: "B" };

function answered(body: string, status = 200): ChangedExchange {
  return { answer: { status, body, headers: { "content-type": "text/plain" } }, arrived: [arrivedAt("/a")] };
}

function lateAnswers(...ids: readonly string[]): Departures {
  return Object.fromEntries(ids.map((id) => [id, { because: "D13", exchanges: { 0: timeOut } }]));
}

/** Where time-outs and failing hosts differ. */
export const qosDepartures: Departures = {
  ...lateAnswers("qs-003", "qs-007", "qs-015", "qs-099", "qs-100", "qs-101"),
  ...lateAnswers("qs-237", "qs-239", "qs-242", "qs-244", "qs-252", "qs-253", "qs-254"),
  "qs-004": { because: "D22", exchanges: { 0: answered("ok1") } },
  "qs-013": stopsTheStart("D16"),
  "qs-014": { because: "D16" },
  "qs-017": stopsTheStart("D5"),
  "qs-021": { because: "D22", exchanges: { 2: answered("ok3"), 3: answered("ok4") } },
  "qs-042": { because: "D16", exchanges: { 2: refused } },
  "qs-043": { because: "D16", exchanges: { 2: refused } },
  "qs-044": { because: "D16", exchanges: { 2: refused } },
  "qs-049": { because: "D13", exchanges: { 0: timeOut, 1: timeOut } },
  // The host that fails is left alone, the other goes on.
  "qs-057": { because: "D16", exchanges: { 4: { answer: { status: 200, body: "B" }, arrived: [atB] } } },
  "qs-063": { because: "D16", exchanges: { 3: answered("ok3") } },
  "qs-064": { because: "D16", exchanges: { 3: answered("ok3") } },
  "qs-065": stopsTheStart("D16"),
  "qs-066": stopsTheStart("D16"),
  "qs-069": { because: "D16", exchanges: { 1: refused, 2: refused, 3: refused, 4: refused } },
  "qs-071": stopsTheStart("D16"),
  "qs-085": stopsTheStart("D16"),
  "qs-086": stopsTheStart("D16"),
  "qs-087": stopsTheStart("D5"),
  "qs-093": { because: "D22", exchanges: { 0: answered("ok1") } },
  "qs-096": stopsTheStart("D5"),
  // Failures are not cached.
  "qs-105": {
    because: "D15",
    exchanges: { 1: answered("f2", 500), 2: refused, 3: refused },
  },
  "qs-107": { because: "D17" },
  "qs-109": { because: "D16", exchanges: { 2: refused } },
  "qs-240": { because: "D22", exchanges: { 0: timeOut } },
  "qs-241": { ...stopsTheStart("D30"), misjudged: "a Timeout of -1 cannot work; one of 0 takes the global one" },
  "qs-245": { because: "D5", exchanges: { 0: answered("a1") } },
  "qs-246": stopsTheStart("D5"),
  "qs-255": { because: "D13", exchanges: { 0: { answer: { status: 504 } } } },
  "qs-257": stopsTheStart("D30"),
};
