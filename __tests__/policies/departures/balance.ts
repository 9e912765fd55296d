import { arrivedAt, type ChangedExchange, type Departures, stopsTheStart } from "./departure.ts";

/** A GET of /a that one of the downstreams has answered. */
function answeredBy(at: string, body: string): ChangedExchange {
  const answer = { status: 200, body, headers: { "content-type": "text/plain" } };
  return { answer, arrived: [{ ...arrivedAt("/a"), at }] };
}

/** What one of several requests at the same time gets; what arrived stands at the last of them. */
function withoutArrivals(body: string): ChangedExchange {
  return { ...answeredBy("A", body), arrived: [] };
}

const threeAndOne = ["A", "A", "A", "B"].map((at) => ({ ...arrivedAt("/a"), at }));

/** Requests one after another, by what answers them. */
function inTurn(because: string, ...bodies: readonly string[]): Departures[string] {
  const exchanges = bodies.map((body, index) => [index, answeredBy(body.charAt(0), body)] as const);
  return { because, exchanges: Object.fromEntries(exchanges) };
}

/** Where the choice among hosts differs. */
export const balanceDepartures: Departures = {
  "lb-007": stopsTheStart("D30"),
  "lb-008": inTurn("D31", "A1", "B1"),
  "lb-009": inTurn("D31", "A1", "B1"),
  "lb-010": inTurn("D31", "A1", "A2"),
  "lb-011": inTurn("D31", "A1", "A2"),
  "lb-014": stopsTheStart("D30"),
  "lb-023": inTurn("D31", "A1", "A2", "A3", "A4"),
  "lb-025": inTurn("D31", "A1", "B1", "A2", "A3", "A4", "B2"),
  "lb-034": inTurn("D31", "A1", "A2", "A3"),
  // A host that is listed twice takes twice as much.
  "lb-038": {
    because: "D17",
    exchanges: { 2: withoutArrivals("B1"), 3: { ...withoutArrivals("A3"), arrived: threeAndOne } },
  },
  "lb-078": stopsTheStart("D30"),
  "lb-095": stopsTheStart("D30"),
  "lb-096": stopsTheStart("D30"),
  "lb-097": stopsTheStart("D30"),
  "lb-104": stopsTheStart("D30"),
};
