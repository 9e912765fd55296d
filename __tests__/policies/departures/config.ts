import { arrivedAt, type Departures, refusal, stopsTheStart } from "./departure.ts";

const timeOut = { answer: { status: 504, body: "", headers: {} } } as const;

function echoOf(target: string): string {
  return JSON.stringify({ at: "A", method: "GET", target, body: "" });
}

/** Where reading a configuration and its global options differ. */
export const configDepartures: Departures = {
  "cf-003": { because: "D22" },
  "cf-007": stopsTheStart("D30"),
  "cf-008": { because: "D13", exchanges: { 0: timeOut } },
  "cf-009": { ...stopsTheStart("D30"), misjudged: "a Timeout of -1 cannot work; one of 0 takes the global one" },
  "cf-011": { because: "D13", exchanges: { 0: timeOut } },
  "cf-018": stopsTheStart("D5"),
  "cf-019": stopsTheStart("D5"),
  "cf-023": stopsTheStart("D31"),
  "cf-024": stopsTheStart("D23"),
  "cf-025": stopsTheStart("D23"),
  "cf-039": stopsTheStart("D5"),
  "cf-040": { because: "D17" },
  "cf-041": { because: "D13", exchanges: { 0: timeOut, 1: timeOut } },
  "cf-042": { because: "D13", exchanges: { 0: timeOut } },
  "cf-047": { because: "D22", exchanges: { 0: timeOut } },
  "cf-048": { because: "D22", exchanges: { 0: { answer: { status: 200, body: echoOf("/r1"), headers: {} } } } },
  "cf-049": { because: "D22", exchanges: { 0: { answer: { status: 200, body: echoOf("/r1"), headers: {} } } } },
  // CacheOptions has the time, and FileCacheOptions the region.
  "cf-058": {
    because: "D22",
    exchanges: {
      1: { answer: { body: "1" }, arrived: [] },
      2: { answer: { body: "2" } },
      3: { answer: { body: "3" } },
    },
  },
  "cf-065": { because: "D28", exchanges: { 0: refusal(401, { "www-authenticate": "Bearer" }) } },
  "cf-073": stopsTheStart("D8"),
  "cf-078": { because: "D22", starts: true },
  "cf-081": {
    because: "D28",
    misjudged: "a global false does not switch off what a route limits itself",
    exchanges: {
      2: {
        answer: {
          headers: { "x-ratelimit-limit": "1", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "<iso time>" },
        },
      },
      3: {
        answer: {
          status: 429,
          body: "API calls quota exceeded! Maximum admitted 1 per 60s.",
          headers: { "retry-after": "60" },
        },
        arrived: [],
      },
    },
  },
  "cf-082": stopsTheStart("D5"),
  "cf-085": {
    because: "D22",
    misjudged: "the flag of a route without lists counts",
    exchanges: { 0: { answer: { status: 200, body: echoOf("/r1") }, arrived: [arrivedAt("/r1")] } },
  },
  // Its RouteKeys count.
  "cf-086": {
    because: "D22",
    exchanges: { 0: { answer: { status: 200, body: echoOf("/r2") }, arrived: [arrivedAt("/r2")] } },
  },
  "cf-098": {
    because: "D31",
    exchanges: { 0: { arrived: [arrivedAt("/r1", { "x-metadata": 'a=[1,2];o={"x":1};s=kept' })] } },
  },
  "cf-106": { because: "D31", exchanges: { 0: refusal(404) } },
  "cf-108": { because: "D31", starts: true },
  // Without Limit and Period a global section holds defaults only.
  "cf-111": {
    because: "D14",
    exchanges: {
      2: { answer: { status: 200, body: echoOf("/r2"), headers: {} }, arrived: [arrivedAt("/r2", { "x-id": "c" })] },
      3: { answer: { status: 200, body: echoOf("/r2"), headers: {} }, arrived: [arrivedAt("/r2", { "x-id": "c" })] },
    },
  },
  "cf-114": stopsTheStart("D5"),
  "cf-115": stopsTheStart("D5"),
  "cf-116": stopsTheStart("D5"),
  "cf-118": stopsTheStart("D5"),
  // Seconds may have a fraction.
  "cf-122": {
    because: "D5",
    exchanges: { 0: { answer: { status: 200, body: echoOf("/r1") }, arrived: [arrivedAt("/r1")] } },
  },
  "cf-123": stopsTheStart("D5"),
  "cf-124": { because: "D13", exchanges: { 0: timeOut } },
  // A text is a list of one, so that the second request, by POST, does not match.
  "cf-125": { because: "D5", exchanges: { 1: refusal(404) } },
  "cf-128": stopsTheStart("D5"),
  "cf-132": stopsTheStart("D5"),
  "cf-134": stopsTheStart("D5"),
};
