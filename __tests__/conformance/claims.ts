import { isDeepStrictEqual } from "node:util";
import { expect } from "@jest/globals";
import type { Arrival, Outcome } from "./conformance-case.ts";
import { type Message, valuesOf } from "./read-messages.ts";

/** Something that was found, and what it has to be. */
export type Claim = readonly [what: string, found: unknown, expected: unknown];

/** Judges them together: a call of `expect` for each of so many would take longer than what they are about. */
export function expectClaims(claims: readonly Claim[]): void {
  expect(claims.filter(([, found, expected]) => !isDeepStrictEqual(found, expected))).toEqual([]);
}

const neverForwarded = [
  "te",
  "trailer",
  "upgrade",
  "expect",
  "proxy-connection",
  "keep-alive",
  "http2-settings",
  "proxy-authorization",
];

/** What has to be true of a request at the upstream. */
export function claimsOfArrival({ headers, body }: Message, arrival: Arrival, port: number): Claim[] {
  const connection = valuesOf(headers, "connection").map((value) => value.toLowerCase());
  return [
    ["host", valuesOf(headers, "host"), [`127.0.0.1:${port}`]],
    ["connection", connection, [connection[0] === "close" ? "close" : "keep-alive"]],
    ...claimsOfAbsence(headers, [...neverForwarded, ...(arrival.lacks ?? [])]),
    ...claimsOfHeaders(headers, arrival.has),
    ["body", body, arrival.body ?? ""],
  ];
}

/** What has to be true of an answer at the client. */
export function claimsOfOutcome({ line, headers, body, trailers }: Message, outcome: Outcome): Claim[] {
  const claims = claimsOfStatus(line, outcome, body);
  if (outcome.code !== undefined) {
    const { code, status } = readProblem(body);
    claims.push(["the problem", { code, status }, { code: outcome.code, status: outcome.status }]);
  }
  claims.push(...claimsOfHeaders(headers, outcome.has), ...claimsOfAbsence(headers, outcome.lacks ?? []));
  if (outcome.body !== undefined) claims.push(["body", body, outcome.body]);
  if (outcome.trailers !== undefined) claims.push(["trailers", trailers, outcome.trailers]);
  return claims;
}

/** What has to be true of the status; where it is another one, what the answer says about it is told. */
export function claimsOfStatus(line: string, { status }: Outcome, body = ""): Claim[] {
  const found = Number(line.split(" ")[1]);
  return [["status", found === status ? found : `${found}: ${body}`, status]];
}

function readProblem(body: string): Readonly<{ code?: unknown; status?: unknown }> {
  try {
    return JSON.parse(body) as object;
  } catch {
    return { code: body };
  }
}

function claimsOfAbsence(headers: readonly [string, string][], names: readonly string[]): Claim[] {
  return names.map((name) => [name, valuesOf(headers, name), []]);
}

function claimsOfHeaders(headers: readonly [string, string][], expected: Outcome["has"] = {}): Claim[] {
  return Object.entries(expected).map(([name, value]) => [name, valuesOf(headers, name), [value].flat()]);
}
