import { arrivedAt, type Departures, refusal, stopsTheStart } from "./departure.ts";

function passed(target: string) {
  return { answer: { status: 200, body: "from A" }, arrived: [arrivedAt(target)] } as const;
}

/** Where address lists differ. */
export const securityDepartures: Departures = {
  "se-012": stopsTheStart("D4"),
  "se-018": stopsTheStart("D4"),
  "se-019": stopsTheStart("D4"),
  "se-021": stopsTheStart("D4"),
  "se-022": stopsTheStart("D25"),
  "se-023": stopsTheStart("D25"),
  "se-027": stopsTheStart("D4"),
  "se-028": stopsTheStart("D25"),
  "se-029": stopsTheStart("D4"),
  "se-030": stopsTheStart("D4"),
  "se-031": stopsTheStart("D4"),
  "se-033": stopsTheStart("D4"),
  "se-034": stopsTheStart("D4"),
  "se-035": stopsTheStart("D4"),
  "se-042": stopsTheStart("D4"),
  "se-043": stopsTheStart("D4"),
  "se-044": stopsTheStart("D4"),
  "se-045": stopsTheStart("D5"),
  "se-048": stopsTheStart("D4"),
  "se-059": stopsTheStart("D5"),
  "se-067": stopsTheStart("D4"),
  // Its RouteKeys count.
  "se-071": { because: "D22", exchanges: { 1: passed("/b") } },
  "se-083": stopsTheStart("D25"),
  "se-084": { because: "D25", exchanges: { 1: refusal(403) } },
  "se-085": { because: "D25", exchanges: { 1: passed("/x") } },
  "se-099": stopsTheStart("D4"),
};
