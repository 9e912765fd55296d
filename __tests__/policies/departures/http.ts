import { type Departures, stopsTheStart } from "./departure.ts";

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
  "ht-093": stopsTheStart("D23"),
  "ht-217": stopsTheStart("D31"),
  "ht-226": stopsTheStart("D30"),
  "ht-229": stopsTheStart("D30"),
};
