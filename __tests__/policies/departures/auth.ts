import { arrivedAt, type Departures, refusal, stopsTheStart } from "./departure.ts";

const problem = { "content-type": "application/problem+json; charset=utf-8" };
const challenged = refusal(401, { ...problem, "www-authenticate": "Bearer" });
const challengedForToken = refusal(401, { ...problem, "www-authenticate": 'Bearer error="invalid_token"' });
const unavailable = refusal(503, { ...problem, "retry-after": "5" });

/** Where authentication and authorisation differ. */
export const authDepartures: Departures = {
  "au-020": {
    because: "D3",
    exchanges: { 0: { arrived: [arrivedAt("/x")] }, 1: challengedForToken, 2: challenged },
  },
  "au-021": { because: "D3", exchanges: { 0: challengedForToken, 1: challenged } },
  // Neither is a CORS preflight.
  "au-023": { because: "D2", exchanges: { 0: challenged, 1: challengedForToken } },
  "au-032": stopsTheStart("D4"),
  "au-039": stopsTheStart("D4"),
  "au-045": stopsTheStart("D4"),
  "au-046": stopsTheStart("D5"),
  "au-049": stopsTheStart("D4"),
  "au-062": stopsTheStart("D8"),
  "au-066": stopsTheStart("D5"),
  "au-104": {
    because: "D7",
    exchanges: {
      0: {
        answer: { status: 200, body: "from A" },
        arrived: [arrivedAt("/x", { authorization: "Bearer {{token:a}}" })],
      },
    },
  },
  "au-109": { ...stopsTheStart("D4"), misjudged: "an empty scope is an empty entry of a lock" },
  "au-110": { ...stopsTheStart("D4"), misjudged: "an empty scope is an empty entry of a lock" },
  "au-114": stopsTheStart("D8"),
  "au-148": stopsTheStart("D8"),
  "au-149": stopsTheStart("D8"),
  "au-151": stopsTheStart("D8"),
  "au-166": stopsTheStart("D8"),
  "au-171": stopsTheStart("D5"),
  "au-177": { because: "D1", exchanges: { 0: challenged } },
  "au-186": { because: "D3", exchanges: { 1: unavailable, 2: unavailable } },
  "au-187": {
    because: "D8",
    exchanges: { 0: unavailable, 1: { answer: { status: 200, body: "from A" }, arrived: [arrivedAt("/open")] } },
  },
};
