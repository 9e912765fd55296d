import type { TraceArrival } from "../trace.ts";
import { arrivedAt, type ChangedExchange, type Departures, stopsTheStart } from "./departure.ts";

type Passing = Readonly<{
  /** What `X-RateLimit-*` say; without it there are none. */
  told?: Readonly<{ limit: number; remaining: number; reset?: string }>;
  target?: string;
  sent?: TraceArrival["headers"];
  more?: Readonly<Record<string, string>>;
}>;

const known = { "oc-client": "c1" };

/** The request passes, as the so many-th that the downstream sees. */
function passed(call: number, { told, target = "/a", sent = known, more = {} }: Passing): ChangedExchange {
  const limits =
    told === undefined
      ? {}
      : {
          "x-ratelimit-limit": String(told.limit),
          "x-ratelimit-remaining": String(told.remaining),
          "x-ratelimit-reset": `<now+${told.reset ?? "1.0"}s>`,
        };
  const headers = { "content-type": "text/plain", ...more, ...limits };
  return { answer: { status: 200, body: `a${call}`, headers }, arrived: [arrivedAt(target, sent)] };
}

function limited(body: string, retryAfter: string | undefined, status = 429): ChangedExchange {
  const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter };
  return { answer: { status, body, headers }, arrived: [] };
}

function usualText(limit: number, period: string): string {
  return `API calls quota exceeded! Maximum admitted ${limit} per ${period}.`;
}

const nobody = { sent: {} };

/** Where rate limits differ. */
export const ratelimitDepartures: Departures = {
  // A period that is used up exactly ends all the same.
  "rl-007": {
    because: "D14",
    exchanges: {
      2: passed(3, { told: { limit: 2, remaining: 1 } }),
      3: passed(4, { told: { limit: 2, remaining: 0 } }),
    },
  },
  // Wait says 5 s.
  "rl-013": {
    because: "D22",
    exchanges: { 1: limited(usualText(1, "500ms"), "5"), 2: limited(usualText(1, "500ms"), "<4.2>") },
  },
  "rl-015": stopsTheStart("D30"),
  "rl-020": stopsTheStart("D30"),
  "rl-022": stopsTheStart("D30"),
  "rl-040": stopsTheStart("D14"),
  "rl-056": stopsTheStart("D30"),
  "rl-058": stopsTheStart("D30"),
  "rl-059": stopsTheStart("D30"),
  "rl-060": stopsTheStart("D30"),
  "rl-062": stopsTheStart("D30"),
  "rl-063": stopsTheStart("D30"),
  "rl-072": stopsTheStart("D14"),
  "rl-075": stopsTheStart("D5"),
  "rl-076": stopsTheStart("D5"),
  "rl-080": stopsTheStart("D5"),
  "rl-086": stopsTheStart("D5"),
  "rl-087": stopsTheStart("D5"),
  "rl-090": stopsTheStart("D4"),
  "rl-093": stopsTheStart("D4"),
  // Without the header, the address is the client.
  "rl-094": {
    because: "D14",
    exchanges: {
      0: passed(1, { told: { limit: 2, remaining: 1 }, ...nobody }),
      1: passed(2, { told: { limit: 2, remaining: 0 }, ...nobody }),
      2: limited(usualText(2, "1s"), "<1.0>"),
      3: limited(usualText(2, "1s"), "<1.0>"),
      4: passed(3, { told: { limit: 2, remaining: 1 } }),
    },
  },
  "rl-095": {
    because: "D14",
    exchanges: {
      0: passed(1, { told: { limit: 2, remaining: 1 }, target: "/a/1", ...nobody }),
      1: passed(2, { told: { limit: 2, remaining: 1 }, target: "/a/1" }),
    },
  },
  "rl-096": {
    because: "D14",
    exchanges: {
      0: passed(1, { told: { limit: 2, remaining: 1 }, target: "/a/1", ...nobody }),
      1: passed(2, { told: { limit: 2, remaining: 1 }, target: "/a/1" }),
    },
  },
  "rl-098": { because: "D14", exchanges: { 0: passed(1, { told: { limit: 2, remaining: 1 }, ...nobody }) } },
  "rl-099": { because: "D14", exchanges: { 0: passed(1, nobody) } },
  "rl-101": { because: "D14", exchanges: { 0: passed(1, { told: { limit: 2, remaining: 1 }, ...nobody }) } },
  "rl-107": {
    because: "D14",
    exchanges: {
      2: passed(2, { told: { limit: 1, remaining: 0 } }),
      3: passed(3, { told: { limit: 1, remaining: 0 }, sent: { "x-api-key": "k2" } }),
    },
  },
  "rl-118": stopsTheStart("D14"),
  "rl-119": stopsTheStart("D4"),
  "rl-126": {
    because: "D14",
    misjudged: "what routes share that differ by header templates is a count of a limit",
    exchanges: { 1: passed(2, { told: { limit: 1, remaining: 0 }, sent: { ...known, v: "2" } }) },
  },
  // Each route counts for itself.
  "rl-128": { because: "D17", exchanges: { 1: passed(2, { told: { limit: 1, remaining: 0 }, target: "/b" }) } },
  "rl-134": {
    because: "D22",
    exchanges: { 0: passed(1, { told: { limit: 1, remaining: 0 } }), 1: limited(usualText(1, "1s"), "<1.0>") },
  },
  "rl-135": { because: "D22", exchanges: { 0: passed(1, {}), 1: limited(usualText(1, "1s"), undefined) } },
  "rl-147": { because: "D14", exchanges: { 1: limited("x {2}", "<1.0>") } },
  "rl-148": { because: "D14", exchanges: { 1: limited('{"error":"slow"}', "<1.0>") } },
  "rl-154": { because: "D22", exchanges: { 1: limited("new 1", "<1.0>") } },
  "rl-159": stopsTheStart("D30"),
  "rl-160": { ...stopsTheStart("D14"), misjudged: "a refusal has a status from 400 to 599" },
  "rl-161": stopsTheStart("D30"),
  "rl-162": stopsTheStart("D30"),
  "rl-163": stopsTheStart("D30"),
  "rl-164": stopsTheStart("D30"),
  "rl-167": stopsTheStart("D30"),
  "rl-168": stopsTheStart("D30"),
  "rl-170": stopsTheStart("D5"),
  "rl-172": { because: "D22", exchanges: { 1: limited(usualText(1, "1s"), "<1.0>", 420) } },
  // Without Limit and Period a global section holds defaults only.
  "rl-176": { because: "D14", exchanges: { 0: passed(1, {}), 1: passed(2, nobody) } },
  "rl-177": {
    because: "D14",
    exchanges: {
      3: passed(3, { target: "/b", sent: { clientid: "x" } }),
      4: passed(4, { target: "/b", ...nobody }),
    },
  },
  "rl-179": {
    because: "D28",
    exchanges: { 0: passed(1, { told: { limit: 1, remaining: 0 } }), 1: limited(usualText(1, "1s"), "<1.0>") },
  },
  "rl-187": { because: "D22", exchanges: { 1: limited("route", "<1.0>") } },
  // The route's Wait says 3 s.
  "rl-188": {
    because: "D22",
    exchanges: { 1: limited(usualText(1, "300ms"), "3"), 2: limited(usualText(1, "300ms"), "<2.1>") },
  },
  "rl-193": stopsTheStart("D4"),
  "rl-195": stopsTheStart("D4"),
  "rl-197": stopsTheStart("D14"),
  "rl-198": stopsTheStart("D30"),
  "rl-199": { because: "D14" },
  "rl-200": stopsTheStart("D30"),
  "rl-201": stopsTheStart("D30"),
  "rl-202": stopsTheStart("D30"),
  "rl-205": {
    because: "D14",
    exchanges: {
      0: {
        answer: {
          status: 401,
          body: "",
          headers: { "x-ratelimit-limit": "2", "x-ratelimit-remaining": "1", "x-ratelimit-reset": "<now+1.0s>" },
        },
      },
      1: passed(1, { told: { limit: 2, remaining: 0 }, sent: { authorization: "Bearer {{token:alice}}" } }),
    },
  },
  "rl-211": {
    because: "D14",
    exchanges: { 2: passed(2, { told: { limit: 1, remaining: 0 }, more: { "x-added": "1" }, ...nobody }) },
  },
  "rl-215": {
    because: "D31",
    misjudged: "the request id comes back to the client",
    exchanges: {
      0: passed(1, { told: { limit: 1, remaining: 0 }, sent: { ...known, "x-req": "r1" }, more: { "x-req": "r1" } }),
    },
  },
  "rl-224": {
    because: "D14",
    exchanges: {
      2: passed(3, { told: { limit: 2, remaining: 1, reset: "0.5" } }),
      3: passed(4, { told: { limit: 2, remaining: 1, reset: "0.5" } }),
      4: passed(5, { told: { limit: 2, remaining: 1, reset: "0.5" } }),
      5: passed(6, { told: { limit: 2, remaining: 0, reset: "0.5" } }),
    },
  },
  // Who names no client is counted by address, and the whole tells no limits of its parts.
  "rl-214": {
    because: "D18",
    exchanges: {
      0: { answer: { headers: { "content-type": "application/json" } } },
      1: { answer: { headers: {} }, arrived: [] },
      3: {
        answer: { status: 200, body: '{"x":1,"y":2}', headers: { "content-type": "application/json" } },
        arrived: ["/x", "/y"].map((target) => arrivedAt(target)),
      },
    },
  },
};
