import { arrivedAt, type ChangedExchange, type Departures, refusal, stopsTheStart } from "./departure.ts";

type Place = Readonly<{ at?: string; headers?: Readonly<Record<string, string>>; answered?: Record<string, string> }>;

/** A GET that a downstream has answered with what arrived. */
function echoed(target: string, { at = "A", headers = {}, answered = {} }: Place = {}): ChangedExchange {
  const body = JSON.stringify({ at, method: "GET", target, body: "" });
  return { answer: { status: 200, body, headers: answered }, arrived: [{ ...arrivedAt(target, headers), at }] };
}

function moved(location: string, at = "A"): ChangedExchange {
  return { answer: { status: 302, body: "", headers: { location } }, arrived: [{ ...arrivedAt("/a"), at }] };
}

const timeOut: ChangedExchange = { answer: { status: 504, body: "", headers: {} } };
const noInstances = refusal(503, { "retry-after": "1" });
const byClient = { headers: { clientid: "c1" } };
const quota = (limit: number, left: number): Readonly<Record<string, string>> => ({
  "x-ratelimit-limit": String(limit),
  "x-ratelimit-remaining": String(left),
  "x-ratelimit-reset": "<iso time>",
});
const refused: ChangedExchange = {
  answer: { status: 429, body: "API calls quota exceeded! Maximum admitted 1 per 60s.", headers: {} },
  arrived: [],
};
const otherOrigin = "a redirect is followed to the same origin only";

/** Where dynamic routes differ. */
export const dynamicDepartures: Departures = {
  "dy-002": { because: "D19", exchanges: { 1: echoed("/second/x?q=1") } },
  "dy-006": { because: "D19", exchanges: { 1: echoed("/a/b"), 2: echoed("/a/") } },
  "dy-008": { because: "D19", exchanges: { 1: echoed("/a/") } },
  "dy-014": { because: "D6", exchanges: { 0: echoed("/{x}/y") } },
  // Whoever writes no host and port means the usual ones.
  "dy-034": { because: "D19", exchanges: { 0: echoed("/a") } },
  "dy-035": { because: "D19", exchanges: { 0: echoed("/a") } },
  "dy-036": { because: "D19", exchanges: { 0: echoed("/a") } },
  "dy-047": { because: "D19", exchanges: { 1: echoed("/a") } },
  "dy-050": { because: "D13", exchanges: { 0: noInstances } },
  "dy-053": stopsTheStart("D18"),
  "dy-055": { because: "D13", exchanges: { 0: noInstances } },
  "dy-057": stopsTheStart("D4"),
  "dy-058": { ...stopsTheStart("D31"), misjudged: "an entry that repeats another one is refused, as a route is" },
  "dy-059": { because: "D19", exchanges: { 2: echoed("/a", byClient), 3: echoed("/a", byClient) } },
  "dy-064": { because: "D19", exchanges: { 0: { arrived: [arrivedAt("/a", { "x-addx": "1" })] } } },
  "dy-066": { because: "D19", exchanges: { 1: echoed("/b", { ...byClient, answered: quota(2, 0) }) } },
  "dy-067": { because: "D14", exchanges: { 0: echoed("/a", { answered: quota(2, 1) }) } },
  "dy-071": {
    because: "D28",
    exchanges: { 0: echoed("/a", { ...byClient, answered: quota(1, 0) }), 1: refused },
  },
  "dy-073": {
    because: "D22",
    exchanges: {
      0: echoed("/a", { ...byClient, answered: quota(5, 4) }),
      1: echoed("/a", { ...byClient, answered: quota(5, 3) }),
    },
  },
  // Each service takes its turns by itself.
  "dy-080": { because: "D17", exchanges: { 1: echoed("/a"), 2: echoed("/a", { at: "B" }) } },
  "dy-084": stopsTheStart("D30"),
  "dy-085": { because: "D31", exchanges: { 0: echoed("/a"), 1: echoed("/a", { at: "B" }) } },
  // Each request has its own path.
  "dy-088": { because: "D17", exchanges: { 1: echoed("/b", { headers: { cookie: "sid=1" } }) } },
  "dy-090": { because: "D13", exchanges: { 0: timeOut } },
  "dy-091": { because: "D13", exchanges: { 0: timeOut } },
  "dy-092": { ...stopsTheStart("D30"), misjudged: "a Timeout of -3 cannot work; one of 0 takes the global one" },
  "dy-093": { because: "D22", exchanges: { 0: echoed("/a") } },
  "dy-096": { because: "D13", exchanges: { 0: timeOut, 1: timeOut } },
  "dy-104": {
    because: "D24",
    misjudged: otherOrigin,
    exchanges: { 0: moved("http://127.0.0.1:{{B}}/new") },
  },
  "dy-110": stopsTheStart("D30"),
  "dy-113": {
    ...stopsTheStart("D30"),
    misjudged: "versions that must not be lower than 2.0 stop the start until they are there",
  },
  "dy-114": stopsTheStart("D30"),
  "dy-118": {
    because: "D24",
    misjudged: otherOrigin,
    exchanges: { 0: moved("http://127.0.0.1:{{B}}/new"), 1: moved("/new", "B") },
  },
  "dy-119": { because: "D13", exchanges: { 0: timeOut, 2: timeOut } },
  "dy-130": { because: "D19", exchanges: { 0: refusal(403) } },
  "dy-131": { because: "D19", exchanges: { 1: { arrived: [arrivedAt("/a", { "x-rid": "<guid>" })] } } },
  "dy-136": { because: "D19", exchanges: { 1: echoed("/b") } },
  "dy-137": { because: "D19", exchanges: { 1: echoed("/b") } },
};
