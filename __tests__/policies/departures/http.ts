import { type Departures, stopsTheStart } from "./departure.ts";

/** What is asked for is HTTP/2 or 3, and nothing lower. */
function notSpoken(...ids: readonly string[]): Departures {
  const misjudged = "versions that must not be lower than 2.0 stop the start until they are there";
  return Object.fromEntries(ids.map((id) => [id, { ...stopsTheStart("D30"), misjudged }]));
}

function cannotWork(...ids: readonly string[]): Departures {
  return Object.fromEntries(ids.map((id) => [id, stopsTheStart("D30")]));
}

/** Where the client toward the downstream differs. */
export const httpDepartures: Departures = {
  // Another origin is the client's to ask.
  "ht-044": {
    because: "D24",
    exchanges: { 0: { answer: { status: 302, headers: { location: "http://127.0.0.1:{{B}}/other" }, body: "moved" } } },
  },
  // The body is gone, and an empty one is not sent in its place.
  "ht-048": {
    because: "D24",
    exchanges: {
      0: {
        answer: { status: 502, headers: {}, body: "" },
        arrived: [{ at: "A", method: "POST", target: "/a", headers: {}, body: "hello" }],
      },
    },
  },
  "ht-053": stopsTheStart("D5"),
  "ht-058": stopsTheStart("D23"),
  "ht-059": stopsTheStart("D23"),
  "ht-060": stopsTheStart("D23"),
  "ht-062": stopsTheStart("D23"),
  "ht-063": stopsTheStart("D23"),
  "ht-064": stopsTheStart("D23"),
  "ht-065": stopsTheStart("D23"),
  "ht-067": stopsTheStart("D23"),
  "ht-068": stopsTheStart("D23"),
  "ht-069": stopsTheStart("D23"),
  "ht-070": stopsTheStart("D5"),
  "ht-079": stopsTheStart("D30"),
  "ht-081": stopsTheStart("D5"),
  "ht-087": stopsTheStart("D5"),
  "ht-090": { because: "D13", exchanges: { 1: { answer: { status: 504, headers: {}, body: "" } } } },
  "ht-104": stopsTheStart("D5"),
  "ht-093": stopsTheStart("D23"),
  ...notSpoken("ht-121", "ht-122", "ht-129", "ht-130", "ht-145", "ht-162", "ht-163", "ht-164"),
  ...notSpoken("ht-194", "ht-202", "ht-203"),
  ...cannotWork("ht-149", "ht-150", "ht-176", "ht-177", "ht-178", "ht-179", "ht-182", "ht-183", "ht-184", "ht-185"),
  "ht-200": stopsTheStart("D22"),
  ...cannotWork("ht-201"),
  "ht-217": stopsTheStart("D31"),
  "ht-218": stopsTheStart("D30"),
  "ht-226": stopsTheStart("D30"),
  "ht-229": stopsTheStart("D30"),
  "ht-230": stopsTheStart("D30"),
  "ht-231": stopsTheStart("D30"),
  // The client can tell.
  "ht-246": { because: "D31", exchanges: { 0: { answer: { truncated: true } } } },
};
