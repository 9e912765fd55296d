import { allCases } from "./cases/all-cases.ts";
import type { ConformanceCase } from "./conformance-case.ts";

/** Rows that come out otherwise where everything is on, and how they are played there. */
type Difference = Readonly<{
  reason: string;
  names: readonly string[];
  /** Only where this responder is on. */
  responder?: string;
  becomes: (row: ConformanceCase) => readonly ConformanceCase[];
}>;

const wrapped = '{"Response": {"a":1}, "Metadata": {}}';

const differences: readonly Difference[] = [
  {
    reason: "a compressed answer is in chunks, and HTTP/1.0 knows none",
    names: ["an answer's Connection cannot take its framing away", "HTTP/1.0 with keep-alive and a length"],
    becomes: (row) => [uncompressed(row)],
  },
  {
    reason: "compression holds back the head until it has compressed something",
    names: [
      ...["a body shorter than its length", "a body cut by a reset", "chunks without their end"],
      ...["a chunk cut in the middle", "a chunk that is ill-formed", "an ill-formed trailer"],
      ...["JSON shorter than its length", "an error's body that is cut"],
    ],
    becomes: (row) => [uncompressed(row), { ...row, mayLoseHead: true }],
  },
  {
    reason: "the responder of metadata decompresses, and what the row calls gzip is none",
    names: ["a compressed body is passed as it is"],
    responder: "json",
    becomes: (row) => [{ ...row, gets: [{ status: 502, code: "upstream-ill-formed" }] }],
  },
  {
    reason: "the responder of metadata wraps JSON",
    names: [
      ...["JSON with a length", "JSON in chunks", "JSON that ends with its connection", "JSON that is compressed"],
      "an error that is JSON",
    ],
    responder: "json",
    becomes(row) {
      const wrapping = { ...row, gets: row.gets.map(({ status }) => ({ status, body: wrapped })) };
      return [wrapping, uncompressed(wrapping)];
    },
  },
];

/** How a row is played where everything is on: as it is, or otherwise by the list. */
export function withEverythingOn(row: ConformanceCase, responder: string): readonly ConformanceCase[] {
  const concerns = (one: Difference): boolean => (one.responder ?? responder) === responder;
  const difference = differences.find((one) => one.names.includes(row.name) && concerns(one));
  return difference?.becomes(row) ?? [row];
}

/** Names in the list that no row has. */
export function findUnknownNames(): readonly string[] {
  const known = new Set(allCases.map(({ name }) => name));
  return differences.flatMap(({ names }) => names).filter((name) => !known.has(name));
}

function uncompressed(row: ConformanceCase): ConformanceCase {
  const send = row.send.replace("\r\n\r\n", "\r\nAccept-Encoding: identity\r\n\r\n");
  return { ...row, name: `${row.name}, for a client that takes no coding`, send };
}
