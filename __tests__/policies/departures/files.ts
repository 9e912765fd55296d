import { arrivedAt, type Departures, refusal, stopsTheStart } from "./departure.ts";

const fromA = answered("A", "/a");
const fromB = answered("B", "/b");
const notFound = refusal(404);

function answered(at: string, target: string) {
  const body = JSON.stringify({ at, method: "GET", target, body: "" });
  return { answer: { status: 200, body, headers: {} }, arrived: [{ ...arrivedAt(target), at }] };
}

/** Where configurations of several files differ. */
export const filesDepartures: Departures = {
  "mf-004": { because: "D21", exchanges: { 0: answered("A", "/c") } },
  "mf-009": stopsTheStart("D21"),
  "mf-016": stopsTheStart("D21"),
  "mf-017": stopsTheStart("D21"),
  "mf-031": { because: "D21", exchanges: { 0: fromA } },
  "mf-039": stopsTheStart("D21"),
  "mf-040": stopsTheStart("D21"),
  "mf-043": stopsTheStart("D5"),
  "mf-047": stopsTheStart("D31"),
  "mf-051": stopsTheStart("D21"),
  // The route that it is about is named by nothing but its position.
  "mf-062": stopsTheStart("D21"),
  "mf-063": stopsTheStart("D21"),
  "mf-064": stopsTheStart("D21"),
  // A file of this name beside parts that say something else is a mistake.
  "mf-073": { because: "D21", exchanges: { 2: fromA, 3: notFound } },
  "mf-074": { because: "D21", exchanges: { 1: notFound, 2: fromB } },
  "mf-075": { because: "D21", exchanges: { 1: fromA } },
  "mf-082": stopsTheStart("D21"),
};
