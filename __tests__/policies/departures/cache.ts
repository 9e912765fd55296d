import { arrivedAt, type Departures, stopsTheStart } from "./departure.ts";

/** Where caches differ. */
export const cacheDepartures: Departures = {
  "ch-005": {
    because: "D15",
    exchanges: {
      1: { answer: { body: "a2" }, arrived: [{ at: "A", method: "PUT", target: "/a", headers: {}, body: "" }] },
    },
  },
  "ch-006": {
    because: "D15",
    exchanges: {
      1: { answer: { body: "a2" }, arrived: [{ at: "A", method: "DELETE", target: "/a", headers: {}, body: "" }] },
    },
  },
  "ch-011": {
    because: "D15",
    exchanges: {
      4: { answer: { body: "a4" }, arrived: [{ at: "A", method: "POST", target: "/a", headers: {}, body: "x" }] },
    },
  },
  "ch-013": {
    because: "D15",
    exchanges: {
      1: { answer: { body: "a2" }, arrived: [{ at: "A", method: "POST", target: "/a", headers: {}, body: "two" }] },
    },
  },
  "ch-016": {
    because: "D15",
    exchanges: {
      1: { answer: { body: "a2" }, arrived: [{ at: "A", method: "POST", target: "/a", headers: {}, body: "two" }] },
    },
  },
  "ch-017": {
    because: "D15",
    exchanges: {
      1: { answer: { body: "a2" }, arrived: [{ at: "A", method: "POST", target: "/a", headers: {}, body: "two" }] },
    },
  },
  "ch-018": stopsTheStart("D5"),
  "ch-021": {
    because: "D15",
    misjudged: "the same bytes of another type are another question",
    exchanges: {
      1: {
        answer: { body: "a2" },
        arrived: [
          { at: "A", method: "POST", target: "/a", headers: { "content-type": "application/json" }, body: "x" },
        ],
      },
    },
  },
  "ch-023": {
    because: "D15",
    exchanges: {
      0: { arrived: [{ at: "A", method: "POST", target: "/a", headers: {}, body: "x".repeat(200000) }] },
      1: {
        answer: { body: "a2" },
        arrived: [{ at: "A", method: "POST", target: "/a", headers: {}, body: "x".repeat(200000) }],
      },
      2: {
        answer: { body: "a3" },
        arrived: [{ at: "A", method: "POST", target: "/a", headers: {}, body: "x".repeat(200001) }],
      },
    },
  },
  "ch-027": { because: "D15", exchanges: { 1: { answer: { body: "a1" }, arrived: [] } } },
  "ch-031": { because: "D15", exchanges: { 1: { answer: { body: "a2" }, arrived: [arrivedAt("/a")] } } },
  "ch-033": {
    because: "D15",
    exchanges: {
      3: { answer: { body: "a3" }, arrived: [{ at: "A", method: "POST", target: "/two", headers: {}, body: "x" }] },
    },
  },
  "ch-041": {
    because: "D15",
    exchanges: {
      1: {
        answer: { body: "a2" },
        arrived: [
          { at: "A", method: "POST", target: "/a", headers: { "content-type": "application/json" }, body: "x" },
        ],
      },
    },
  },
  "ch-048": {
    because: "D15",
    exchanges: {
      1: {
        answer: { body: "a2" },
        arrived: [arrivedAt("/a", { accept: "application/json", cookie: "a=2", authorization: "Basic Yzpk" })],
      },
    },
  },
  "ch-049": {
    because: "D15",
    exchanges: {
      1: {
        answer: {
          body: "made 2",
          headers: {
            "content-type": "application/json; charset=utf-8",
            "x-one": "1",
            "x-two": ["a", "b"],
            location: "/new",
            etag: '"e2"',
            "last-modified": "Mon, 01 Jan 2024 00:00:00 GMT",
            expires: "0",
            "content-language": "de",
            "content-disposition": "inline",
            via: "1.1 x",
            warning: "199 - x",
            vary: "Accept",
            allow: "GET",
          },
        },
        arrived: [arrivedAt("/a")],
      },
    },
  },
  "ch-050": {
    because: "D15",
    exchanges: {
      1: {
        answer: { body: "a2", headers: { "set-cookie": ["sid=secret2; path=/; HttpOnly", "t=1"] } },
        arrived: [arrivedAt("/a", { cookie: "u=2" })],
      },
    },
  },
  "ch-052": {
    because: "D15",
    exchanges: {
      1: { answer: { body: "s2", headers: { "content-type": "text/plain", "x-n": "2" } }, arrived: [arrivedAt("/a")] },
    },
  },
  "ch-056": {
    because: "D15",
    exchanges: {
      1: { answer: { body: "s2", headers: { "content-type": "text/plain", "x-n": "2" } }, arrived: [arrivedAt("/a")] },
    },
  },
  "ch-058": {
    because: "D15",
    exchanges: {
      1: { answer: { body: "s2", headers: { "content-type": "text/plain", "x-n": "2" } }, arrived: [arrivedAt("/a")] },
    },
  },
  "ch-059": {
    because: "D15",
    exchanges: {
      1: { answer: { body: "s2", headers: { "content-type": "text/plain", "x-n": "2" } }, arrived: [arrivedAt("/a")] },
    },
  },
  "ch-061": {
    because: "D15",
    exchanges: {
      1: { answer: { body: "s2", headers: { "content-type": "text/plain", "x-n": "2" } }, arrived: [arrivedAt("/a")] },
    },
  },
  "ch-063": {
    because: "D15",
    exchanges: {
      1: { answer: { body: "s2", headers: { "content-type": "text/plain", "x-n": "2" } }, arrived: [arrivedAt("/a")] },
    },
  },
  "ch-064": {
    because: "D15",
    exchanges: {
      1: { answer: { body: "s2", headers: { "content-type": "text/plain", "x-n": "2" } }, arrived: [arrivedAt("/a")] },
    },
  },
  "ch-066": {
    because: "D15",
    exchanges: {
      1: { answer: { body: "s2", headers: { "content-type": "text/plain", "x-n": "2" } }, arrived: [arrivedAt("/a")] },
    },
  },
  "ch-069": {
    because: "D15",
    exchanges: {
      1: { answer: { body: "s2", headers: { "content-type": "text/plain", "x-n": "2" } }, arrived: [arrivedAt("/a")] },
    },
  },
  "ch-071": {
    because: "D15",
    exchanges: {
      1: { answer: { body: "s2", headers: { "content-type": "text/plain", "x-n": "2" } }, arrived: [arrivedAt("/a")] },
    },
  },
  "ch-072": {
    because: "D15",
    exchanges: {
      1: { answer: { body: "s2", headers: { "content-type": "text/plain", "x-n": "2" } }, arrived: [arrivedAt("/a")] },
    },
  },
  "ch-074": {
    because: "D15",
    exchanges: {
      1: { answer: { body: "s2", headers: { "content-type": "text/plain", "x-n": "2" } }, arrived: [arrivedAt("/a")] },
    },
  },
  "ch-077": {
    because: "D15",
    misjudged: "a coded body is for those who read the coding",
    exchanges: { 1: { arrived: [arrivedAt("/a")] } },
  },
  // It streams to its client while it is stored.
  "ch-081": {
    because: "D31",
    exchanges: {
      0: { answer: { status: 200, truncated: true, headers: { "content-type": "text/plain" } } },
    },
  },
  "ch-087": {
    because: "D15",
    exchanges: { 1: { answer: { body: "a2" }, arrived: [arrivedAt("/a", { accept: "b" })] } },
  },
  "ch-093": {
    because: "D15",
    exchanges: { 1: { answer: { body: "a2" }, arrived: [arrivedAt("/a", { accept: "b" })] } },
  },
  "ch-094": {
    because: "D15",
    exchanges: { 1: { answer: { body: "a2" }, arrived: [arrivedAt("/a", { accept: "b" })] } },
  },
  "ch-098": { because: "D15", exchanges: { 1: { arrived: [arrivedAt("/a")] } } },
  "ch-104": stopsTheStart("D5"),
  "ch-105": stopsTheStart("D5"),
  "ch-109": { because: "D22", exchanges: { 1: { answer: { body: "a2" }, arrived: [arrivedAt("/a")] } } },
  "ch-121": {
    because: "D15",
    exchanges: {
      1: { answer: { body: "a2" }, arrived: [{ at: "A", method: "POST", target: "/a", headers: {}, body: "y" }] },
    },
  },
  "ch-135": { because: "D15", exchanges: { 1: { answer: { body: "a2" }, arrived: [arrivedAt("/two", { v: "2" })] } } },
  "ch-136": {
    because: "D15",
    exchanges: {
      1: {
        answer: { body: "data 2" },
        arrived: [arrivedAt("/a", { authorization: "Bearer <token>", "x-user": "bob" })],
      },
    },
  },
  "ch-138": {
    because: "D15",
    exchanges: { 3: { answer: { body: "a2" }, arrived: [arrivedAt("/a", { authorization: "Bearer <token>" })] } },
  },
  "ch-142": {
    because: "D15",
    exchanges: {
      2: { answer: { body: "a3" }, arrived: [arrivedAt("/a", { authorization: "Bearer <token>", "x-user": "alice" })] },
    },
  },
  "ch-146": {
    because: "D15",
    exchanges: { 1: { answer: { body: "a1" }, arrived: [arrivedAt("/a")] }, 2: { answer: { body: "a1" } } },
  },
  "ch-150": {
    because: "D15",
    exchanges: {
      3: {
        answer: { status: 200, body: "ok3", headers: { "content-type": "text/plain" } },
        arrived: [arrivedAt("/a?3")],
      },
      4: { answer: { body: "ok4" } },
      5: { answer: { body: "ok4" } },
    },
  },
  "ch-151": { because: "D13", exchanges: { 0: { answer: { status: 504 } } } },
};
