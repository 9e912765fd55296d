import type { TraceArrival } from "../trace.ts";
import { arrivedAt, type Departure, type Departures, refusal, stopsTheStart } from "./departure.ts";

const unfit = refusal(403);
const unreadable = "it speaks of Claims[ and is no expression: an identity would get lost on the way";

type Exchanges = NonNullable<Departure["exchanges"]>;

function shownBy(token: string, headers: TraceArrival["headers"] = {}): TraceArrival["headers"] {
  return { authorization: `Bearer {{token:${token}}}`, ...headers };
}

function passes(target: string, headers: TraceArrival["headers"]): Exchanges[number] {
  return { answer: { status: 200, body: "from A" }, arrived: [arrivedAt(target, headers)] };
}

/** Targets that arrive, each asked for with the token of a name. */
function arrivals(...targets: readonly (readonly [token: string, target: string])[]): Exchanges {
  return Object.fromEntries(targets.map(([token, target], index) => [index, passes(target, shownBy(token))]));
}

/** A short name finds itself, whatever long name .NET has for it. */
function keepsItsName(name: string): Departure {
  return { because: "D7", exchanges: { 0: passes("/x", shownBy("a", { "x-out": `v-${name}` })) } };
}

const renamed: Readonly<Record<string, string>> = {
  ...{ "cl-054": "role", "cl-055": "email", "cl-057": "given_name", "cl-058": "family_name", "cl-059": "nameid" },
  ...{ "cl-060": "unique_name", "cl-061": "upn", "cl-063": "tid", "cl-064": "oid", "cl-065": "scp", "cl-067": "acr" },
  ...{ "cl-070": "website", "cl-072": "gender", "cl-075": "certthumbprint", "cl-077": "idp" },
};

const asSent = {
  accept: "text/html,application/json;q=0.9",
  "accept-language": "de,en;q=0.5",
  "cache-control": "no-cache,max-age=0",
  cookie: "a=1;b=2",
  "if-modified-since": "Wed, 21 Oct 2015 07:28:00 GMT",
  range: "bytes=0-1",
  "user-agent": "Moz/5.0 (X)  Y/1",
  "x-l": "a,b",
};

/** Where claims differ. */
export const claimsDepartures: Departures = {
  "cl-030": { ...stopsTheStart("D4"), misjudged: unreadable },
  "cl-038": { ...stopsTheStart("D4"), misjudged: unreadable },
  "cl-039": { ...stopsTheStart("D4"), misjudged: unreadable },
  ...Object.fromEntries(Object.entries(renamed).map(([id, name]) => [id, keepsItsName(name)])),
  "cl-104": { because: "D7", exchanges: { 0: passes("/x", shownBy("a", { "x-out": "123456789012345678901" })) } },
  "cl-123": { because: "D9", exchanges: { 0: unfit, 1: unfit } },
  "cl-124": { because: "D9", exchanges: { 0: unfit, 1: unfit, 2: unfit, 3: unfit } },
  "cl-129": {
    because: "D9",
    exchanges: {
      0: passes("/ua", shownBy("a", { "user-agent": "(broken" })),
      1: passes("/ac", shownBy("a", { accept: "(broken" })),
      2: passes("/im", shownBy("a", { "if-modified-since": "(broken" })),
    },
  },
  "cl-130": stopsTheStart("D9"),
  "cl-131": stopsTheStart("D9"),
  "cl-135": stopsTheStart("D5"),
  "cl-136": stopsTheStart("D8"),
  "cl-137": stopsTheStart("D8"),
  "cl-138": stopsTheStart("D8"),
  // Neither is a CORS preflight.
  "cl-139": { because: "D2", exchanges: { 0: refusal(401) } },
  "cl-140": {
    because: "D2",
    exchanges: {
      0: {
        answer: { status: 200, body: "from A" },
        arrived: [{ ...arrivedAt("/x", shownBy("a", { "x-out": "alice" })), method: "OPTIONS" }],
      },
    },
  },
  "cl-142": { because: "D6", exchanges: { 0: passes("/u/7/z?k=1&uid=7", shownBy("a", { "x-uid": "7" })) } },
  "cl-144": { because: "D9", exchanges: { 1: passes("/y", shownBy("a", { "x-b": "alice" })) } },
  "cl-147": stopsTheStart("D8"),
  "cl-151": {
    because: "D6",
    exchanges: {
      ...arrivals(
        ...(
          ["a=1&b=2", "a=1&a=2", "a", "a=", "a=b%20c", "a=b+c", "a=%26", "a=%3D1", "a%20b=1", "=v", "&a=1"] as const
        ).map((query) => ["a", `/x?${query}&loc=7`] as const),
        ...(["a=%25", "a=%C3%A9"] as const).map((query) => ["a", `/x?${query}&loc=7`] as const),
      ),
      13: refusal(400),
      14: passes("/x?a=%23z&loc=7", shownBy("a")),
    },
  },
  "cl-153": {
    because: "D6",
    exchanges: arrivals(
      ["a", "/x?loc=a%20b"],
      ["b", "/x?loc=a%26b%3Dc"],
      ["c", "/x?loc=a%2Bb"],
      ["d", "/x?loc=%C3%A9"],
      ["e", "/x?loc=a%23b"],
      ["f", "/x?loc=a%2520b"],
      ["g", "/x?loc=a%25"],
      ["h", "/x?loc=a%2Fb%3Fc"],
      ["i", "/x?loc=%22%3C%3E"],
      ["j", "/x?loc="],
    ),
  },
  "cl-157": { because: "D9", exchanges: arrivals(["a", "/x?m=1&zz=alice&aa=alice"]) },
  "cl-158": { because: "D6", exchanges: arrivals(["a", "/x?a%20b%26c=alice"]) },
  "cl-159": stopsTheStart("D4"),
  "cl-167": stopsTheStart("D4"),
  "cl-168": stopsTheStart("D4"),
  "cl-172": {
    because: "D6",
    exchanges: arrivals(["a", "/u/z?id=7"], ["a", "/u/z?id=7&own=1"], ["a", "/u/z?id=7&v=9"], ["a", "/u/z?id=7"]),
  },
  "cl-174": { because: "D31", starts: true },
  "cl-176": stopsTheStart("D4"),
  "cl-177": { because: "D6", exchanges: arrivals(["a", "/u/7/z?v=1&w=2"], ["a", "/u/7/z?w=2"]) },
  "cl-181": stopsTheStart("D4"),
  // What was for alice is not for bob.
  "cl-186": {
    because: "D15",
    exchanges: arrivals(["a", "/x?u=alice"], ["b", "/x?u=bob"], ["a", "/x?u=alice"]),
  },
  "cl-188": {
    because: "D10",
    exchanges: { 0: { arrived: [arrivedAt("/with", shownBy("a", { ...asSent, "x-out": "alice" }))] } },
  },
};
