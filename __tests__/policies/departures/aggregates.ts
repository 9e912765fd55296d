import type { TraceArrival } from "../trace.ts";
import { type Departure, type Departures, refusal, stopsTheStart } from "./departure.ts";

const comments = '[{"id":1,"userId":10,"postId":7},{"id":2,"userId":11,"postId":8},{"id":3,"userId":10,"postId":7}]';

/** The one request of a trace, answered with another body. */
function answers(because: string, body: string): Departure {
  return { because, exchanges: { 0: { answer: { status: 200, body } } } };
}

/** What the parts have sent back of themselves. */
function wholeOf(parts: Readonly<Record<string, string>>): string {
  const members = Object.entries(parts).map(([key, value]) => `"${key}":${value}`);
  return `{${members.join()}}`;
}

function echo(at: string, target: string, body = ""): string {
  return `{"at":"${at}","method":"GET","target":"${target}","body":"${body}"}`;
}

function arrived(at: string, target: string, headers: TraceArrival["headers"] = {}, body = ""): TraceArrival {
  return { at, method: "GET", target, headers, body };
}

/** All parts are admitted before any is sent. */
function refusedBefore(status: number, misjudged = "a part that refuses keeps the others from being asked"): Departure {
  return { because: "D18", misjudged, exchanges: { 0: refusal(status) } };
}

const limited = { "x-id": "c" };

/** The limit of a part is not the whole's to tell; what is refused is not sent to the other part. */
function limits(text: string): Departure {
  const headers = { "content-type": "application/json" };
  return {
    because: "D18",
    exchanges: {
      0: { answer: { headers } },
      1: { answer: { status: 429, body: text, headers: {} }, arrived: [] },
    },
  };
}

/** Where aggregates differ. */
export const aggregatesDepartures: Departures = {
  "ag-006": stopsTheStart("D18"),
  "ag-011": stopsTheStart("D31"),
  "ag-013": { ...stopsTheStart("D18"), misjudged: "one of the parts does not take the aggregate's method" },
  "ag-014": stopsTheStart("D18"),
  "ag-020": stopsTheStart("D18"),
  "ag-023": answers("D18", wholeOf({ Tom: '"hello"', Laura: '"<p>x</p>"' })),
  "ag-026": answers("D18", wholeOf({ Tom: "null", Laura: "{}" })),
  "ag-030": answers("D18", wholeOf({ Tom: '"/+n+"', Laura: "1" })),
  // The recorded bytes end with a wrong checksum: decompressed they are corrupt.
  "ag-033": { because: "D18", exchanges: { 0: { answer: { truncated: true } } } },
  "ag-035": answers("D18", wholeOf({ 'T\\"o\\\\m': '{"Age":19}', Laura: '{"Age":25}' })),
  "ag-040": answers("D18", wholeOf({ Tom: "null", Laura: "null" })),
  "ag-042": answers("D18", wholeOf({ Tom: '"moved"', Laura: '{"Age":25}' })),
  "ag-048": { because: "D13", exchanges: { 0: { answer: { status: 504 } } } },
  "ag-049": { because: "D13", exchanges: { 0: { answer: { status: 504 } } } },
  "ag-064": {
    because: "D18",
    exchanges: {
      0: {
        answer: {
          body: wholeOf({
            Tom: echo("A", "/tom", "{\\u0022x\\u0022:1}"),
            Laura: echo("B", "/laura", "{\\u0022x\\u0022:1}"),
          }),
        },
        arrived: [
          arrived("A", "/tom", { "content-type": "application/json" }, '{"x":1}'),
          arrived("B", "/laura", { "content-type": "application/json" }, '{"x":1}'),
        ],
      },
    },
  },
  "ag-066": {
    because: "D6",
    exchanges: {
      0: {
        answer: {
          body: wholeOf({
            Tom: echo("A", "/tom?a=1\\u0026b=x%20y\\u0026c=%2F\\u0026a=2"),
            Laura: echo("B", "/laura?a=1\\u0026b=x%20y\\u0026c=%2F\\u0026a=2"),
          }),
        },
        arrived: [arrived("A", "/tom?a=1&b=x%20y&c=%2F&a=2"), arrived("B", "/laura?a=1&b=x%20y&c=%2F&a=2")],
      },
    },
  },
  "ag-072": {
    because: "D6",
    exchanges: {
      0: {
        answer: {
          body: wholeOf({ Tom: echo("A", "/t/7?id=9\\u0026x=1"), Laura: echo("B", "/l/7?id=9\\u0026x=1") }),
        },
        arrived: [arrived("A", "/t/7?id=9&x=1"), arrived("B", "/l/7?id=9&x=1")],
      },
    },
  },
  // A host counts with its port only where the configuration has one.
  "ag-081": {
    because: "D18",
    exchanges: {
      2: {
        answer: {
          status: 200,
          body: wholeOf({ Tom: '{"Age":19}', Laura: '{"Age":25}' }),
          headers: { "content-type": "application/json" },
        },
        arrived: [arrived("A", "/tom"), arrived("B", "/laura")],
      },
    },
  },
  "ag-082": { ...stopsTheStart("D18"), misjudged: "the host of a part counts" },
  "ag-085": { ...stopsTheStart("D18"), misjudged: "the header templates of a part count" },
  "ag-089": limits("API calls quota exceeded! Maximum admitted 1 per 60s."),
  "ag-090": limits("stop"),
  "ag-093": refusedBefore(403),
  "ag-094": { because: "D13", exchanges: { 0: { answer: { status: 504, body: "", headers: {} } } } },
  "ag-097": refusedBefore(401),
  "ag-099": refusedBefore(403),
  "ag-100": refusedBefore(401, "who a part does not let in is refused before any part can fail"),
  "ag-105": stopsTheStart("D4"),
  "ag-106": {
    because: "D31",
    exchanges: {
      0: {
        answer: {
          body: wholeOf({ Tom: '{"Age":19}', Laura: '{"Age":25}' }),
          headers: { "content-type": "application/json" },
        },
        arrived: [arrived("A", "/tom"), arrived("B", "/laura")],
      },
      1: {
        answer: { status: 200, body: '{"Age":19}', headers: { "content-type": "application/json" } },
        arrived: [arrived("A", "/tom")],
      },
    },
  },
  "ag-109": stopsTheStart("D5"),
  "ag-110": stopsTheStart("D5"),
  "ag-112": stopsTheStart("D5"),
  "ag-115": stopsTheStart("D13"),
  "ag-116": stopsTheStart("D13"),
  "ag-120": { because: "D18", exchanges: { 0: { answer: { status: 500 } } } },
  // Judged to differ, and answered as recorded all the same.
  "ag-127": { because: "D18" },
  "ag-130": stopsTheStart("D18"),
  "ag-131": stopsTheStart("D18"),
  "ag-136": {
    because: "D18",
    exchanges: {
      0: {
        answer: {
          body: wholeOf({
            Comments:
              '[{"userId":"a b"},{"userId":true},{"userId":null},{"userId":1.50},{"userId":{"x":1}},' +
              '{"userId":"2020-01-02T03:04:05Z"},{"userId":"a/b"},{"userId":""},{"userId":10},{"userId":"10"}]',
            Users: `[${["a%20b", "true", "1.5", "2020-01-02T03:04:05Z", "a%2Fb", "10"].map((id) => echo("B", `/users/${id}`)).join()}]`,
          }),
        },
        arrived: [
          arrived("A", "/comments"),
          ...["1.5", "10", "2020-01-02T03:04:05Z", "a%20b", "a%2Fb", "true"].map((id) => arrived("B", `/users/${id}`)),
        ],
      },
    },
  },
  "ag-138": { because: "D18", exchanges: { 0: { answer: { status: 502 } } } },
  "ag-140": { because: "D18", exchanges: { 0: { answer: { status: 502 } } } },
  "ag-142": answers("D18", wholeOf({ Comments: comments, Users: '[{"u":10},null]' })),
  "ag-143": answers("D18", wholeOf({ Comments: comments, Users: '[null,{"u":11}]' })),
  "ag-144": answers("D18", wholeOf({ Comments: comments, Users: '["plain","plain"]' })),
  "ag-146": {
    because: "D6",
    exchanges: {
      0: {
        answer: {
          body: wholeOf({
            Comments: comments,
            Users: `[${["10", "11"].map((id) => echo("B", `/users/${id}?userId=99\\u0026z=1`)).join()}]`,
          }),
        },
        arrived: [
          arrived("A", "/comments?userId=99&z=1"),
          ...["10", "11"].map((id) => arrived("B", `/users/${id}?userId=99&z=1`)),
        ],
      },
    },
  },
  "ag-148": stopsTheStart("D18"),
  "ag-149": stopsTheStart("D18"),
  "ag-150": stopsTheStart("D18"),
  "ag-152": stopsTheStart("D18"),
  "ag-153": stopsTheStart("D18"),
  "ag-157": {
    because: "D18",
    exchanges: {
      0: {
        answer: {
          body: wholeOf({
            Comments: comments,
            Users: `[${["10", "11"].map((id) => echo("B", `/users/${id}`)).join()}]`,
          }),
        },
        arrived: [arrived("A", "/comments"), arrived("B", "/users/10"), arrived("B", "/users/11")],
      },
    },
  },
  // Both calls are counted before the first of them is sent.
  "ag-160": {
    because: "D18",
    exchanges: {
      0: {
        answer: {
          headers: {
            "x-ratelimit-limit": "1",
            "x-ratelimit-remaining": "0",
            "x-ratelimit-reset": "<iso time>",
            "retry-after": "<60>",
            "content-type": "text/plain; charset=utf-8",
          },
        },
        arrived: [arrived("A", "/comments", limited)],
      },
    },
  },
  "ag-163": { ...stopsTheStart("D18"), misjudged: "the parts do not take the aggregate's method" },
  "ag-166": { because: "D18", exchanges: { 0: { answer: { status: 502 } } } },
  "ag-169": { because: "D10" },
  "ag-170": { because: "D18", exchanges: { 0: refusal(501) } },
  "ag-171": { because: "D18", exchanges: { 0: refusal(501) } },
  "ag-172": { because: "D18", exchanges: { 0: refusal(401) } },
};
