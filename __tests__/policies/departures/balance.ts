import { arrivedAt, type ChangedExchange, type Departures, stopsTheStart } from "./departure.ts";

type Sticky = Readonly<{ target?: string; cookie?: string }>;

/** A GET of /a that one of the downstreams has answered. */
function answeredBy(at: string, body: string, { target = "/a", cookie }: Sticky = {}): ChangedExchange {
  const answer = { status: 200, body, headers: { "content-type": "text/plain" } };
  return { answer, arrived: [{ ...arrivedAt(target, cookie === undefined ? {} : { cookie }), at }] };
}

/** What one of several requests at the same time gets; what arrived stands at the last of them. */
function withoutArrivals(body: string): ChangedExchange {
  return { ...answeredBy("A", body), arrived: [] };
}

const threeAndOne = ["A", "A", "A", "B"].map((at) => ({ ...arrivedAt("/a"), at }));

/** Requests one after another, by what answers them. */
function inTurn(because: string, ...bodies: readonly string[]): Departures[string] {
  return asTold(because, ...bodies.map((body) => [body] as const));
}

/** Requests one after another, by what answers them and what arrives. */
function asTold(because: string, ...told: readonly (readonly [body: string, arrived?: Sticky])[]): Departures[string] {
  const exchanges = told.map(([body, arrived]) => answeredBy(body.charAt(0), body, arrived));
  return { because, exchanges: Object.fromEntries(exchanges.entries()) };
}

/** Of the clients that stay at their hosts these do so as they did before, though by a cookie of the gateway's. */
function byCookie(...ids: readonly string[]): Departures {
  return Object.fromEntries(ids.map((id) => [id, { because: "D17" }]));
}

/** Where the choice among hosts differs. */
export const balanceDepartures: Departures = {
  "lb-007": stopsTheStart("D30"),
  "lb-008": inTurn("D31", "A1", "B1"),
  "lb-009": inTurn("D31", "A1", "B1"),
  "lb-010": inTurn("D31", "A1", "A2"),
  "lb-011": inTurn("D31", "A1", "A2"),
  "lb-012": inTurn("D31", "A1"),
  "lb-014": stopsTheStart("D30"),
  "lb-023": inTurn("D31", "A1", "A2", "A3", "A4"),
  "lb-025": inTurn("D31", "A1", "B1", "A2", "A3", "A4", "B2"),
  "lb-034": inTurn("D31", "A1", "A2", "A3"),
  // A host that is listed twice takes twice as much.
  "lb-038": {
    because: "D17",
    exchanges: { 2: withoutArrivals("B1"), 3: { ...withoutArrivals("A3"), arrived: threeAndOne } },
  },
  ...byCookie("lb-040", "lb-043", "lb-044", "lb-047", "lb-048", "lb-051", "lb-052", "lb-053"),
  ...byCookie("lb-061", "lb-064", "lb-067", "lb-068", "lb-072", "lb-110"),
  // Who has no cookie yet is a client of its own, and goes to the next host.
  "lb-041": asTold("D17", ["A1"], ["B1"], ["C1", { cookie: "lb2=u1" }], ["A2"], ["B2", { cookie: "other=1" }]),
  // Without a time the cookie lasts until the browser is closed.
  "lb-054": asTold("D17", ...["A1", "A2", "A3"].map((body) => [body, { cookie: "lb13=u" }] as const)),
  "lb-055": stopsTheStart("D5"),
  // Each route takes turns of its own.
  "lb-058": asTold(
    "D17",
    ["A1", { cookie: "lb17=u" }],
    ["A2", { cookie: "lb17=u", target: "/b" }],
    ["A3", { cookie: "lb17=v", target: "/b" }],
    ["A4", { cookie: "lb17=v" }],
  ),
  // Each route goes to its own hosts.
  "lb-059": asTold(
    "D17",
    ["A1", { cookie: "lb18=u" }],
    ["B1", { cookie: "lb18=u", target: "/b" }],
    ["B2", { cookie: "lb18=new", target: "/b" }],
    ["A2", { cookie: "lb18=new2" }],
  ),
  "lb-060": asTold(
    "D17",
    ["B1", { cookie: "lb19=u", target: "/b" }],
    ["A1", { cookie: "lb19=u" }],
    ["A2", { cookie: "lb19=v" }],
  ),
  "lb-080": asTold(
    "D17",
    ["A1", { cookie: "lb34=u" }],
    ["B1", { cookie: "lb34=u", target: "/b" }],
    ["B2", { cookie: "lb34=v", target: "/b" }],
  ),
  "lb-078": stopsTheStart("D30"),
  "lb-095": stopsTheStart("D30"),
  "lb-096": stopsTheStart("D30"),
  "lb-097": stopsTheStart("D30"),
  "lb-104": stopsTheStart("D30"),
  "lb-106": stopsTheStart("D22"),
};
