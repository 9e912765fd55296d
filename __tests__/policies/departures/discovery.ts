import {
  arrivedAt,
  type ChangedExchange,
  type Departure,
  type Departures,
  refusal,
  stopsTheStart,
} from "./departure.ts";

const noInstances = refusal(503, { "retry-after": "1" });
const unknown = refusal(503, { "retry-after": "5" });
const unlike = (because: string): Departure => ({ ...stopsTheStart("D30"), misjudged: because });

/** A GET that a downstream has answered with what arrived. */
function echoed(target = "/x", at = "A"): ChangedExchange {
  const body = JSON.stringify({ at, method: "GET", target, body: "" });
  return { answer: { status: 200, body, headers: {} }, arrived: [{ ...arrivedAt(target), at }] };
}

/** Where registries are asked otherwise, and clients get the same. */
function sameFor(...ids: readonly string[]): Departures {
  return Object.fromEntries(ids.map((id) => [id, { because: "D20" }]));
}

function answeredBy(because: string, exchange: ChangedExchange, ...ids: readonly string[]): Departures {
  return Object.fromEntries(ids.map((id) => [id, { because, exchanges: { 0: exchange } }]));
}

/** Where registries are asked, and believed, otherwise. */
export const discoveryDepartures: Departures = {
  ...sameFor("sd-002", "sd-009", "sd-022", "sd-025", "sd-029", "sd-031", "sd-037", "sd-039", "sd-041", "sd-044"),
  ...sameFor("sd-052", "sd-055", "sd-056", "sd-059", "sd-060", "sd-062", "sd-063", "sd-064", "sd-065", "sd-068"),
  ...sameFor("sd-070", "sd-072", "sd-081", "sd-083", "sd-085", "sd-086", "sd-087", "sd-088", "sd-090", "sd-091"),
  ...sameFor("sd-093", "sd-094", "sd-104", "sd-105", "sd-107", "sd-112", "sd-113", "sd-119"),
  "sd-075": { because: "D23" },
  "sd-115": { because: "D13" },
  "sd-121": { because: "D23" },
  // Nothing is told of the node's name, or of the port.
  ...answeredBy("D20", noInstances, "sd-005", "sd-006", "sd-007", "sd-015", "sd-026"),
  // The node's name is the host, whatever the service says of its address.
  ...answeredBy("D20", echoed(), "sd-010", "sd-013"),
  ...answeredBy("D13", unknown, "sd-018", "sd-049"),
  ...answeredBy("D20", unknown, "sd-019", "sd-020", "sd-023", "sd-024", "sd-042"),
  ...answeredBy("D20", unknown, "sd-101", "sd-102", "sd-103", "sd-116"),
  ...answeredBy("D20", noInstances, "sd-092", "sd-097", "sd-099", "sd-118"),
  ...answeredBy("D20", echoed(), "sd-082", "sd-110"),
  // Each route takes its turns by itself.
  "sd-034": { because: "D17", exchanges: { 1: echoed(), 2: echoed("/x", "B"), 3: echoed("/x", "B") } },
  "sd-035": { because: "D31", exchanges: { 0: echoed("/x", "B") } },
  "sd-040": { ...stopsTheStart("D23"), misjudged: "a ConfigurationKey is refused, as its configuration is not read" },
  "sd-043": unlike("a Scheme that is none stops the start"),
  "sd-066": unlike("an interval below 0 stops the start"),
  // The last list goes on.
  "sd-069": { because: "D20", exchanges: { 1: echoed() } },
  "sd-076": {
    because: "D23",
    exchanges: { 0: echoed("/file"), 1: refusal(404) },
  },
  "sd-078": { because: "D23", starts: true },
  "sd-079": { because: "D23", starts: true },
  "sd-106": unlike("a Type that nobody knows stops the start"),
  "sd-114": { because: "D20", exchanges: { 2: noInstances } },
  "sd-117": { because: "D20", exchanges: { 0: unknown, 1: unknown } },
};
