import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { watchProcess } from "../helpers/watch-process.ts";
import type { Arrival, ConformanceCase, Outcome } from "./conformance-case.ts";
import { type Message, valuesOf } from "./read-messages.ts";
import { sentinelTarget, startStrictUpstream, type StrictUpstream } from "./strict-upstream.ts";
import { sentinelRequest, talk } from "./talk.ts";

/** A gateway that the rows are played against. */
export type Player = Readonly<{
  engine: string;
  start: (upstreamPort: number) => Promise<Readonly<{ port: number; close: () => Promise<void> }>>;
  /** Takes off an answer what the app around the gateway has coded it with; nothing where this is absent. */
  decode?: (answer: Message) => Message;
}>;

/** Declares a test for each row. */
export function playRows(rows: readonly ConformanceCase[], { engine, start, decode = asItIs }: Player): void {
  const disturbances = watchProcess();
  let upstream: StrictUpstream;
  let running: Awaited<ReturnType<Player["start"]>>;

  beforeAll(async () => {
    upstream = await startStrictUpstream();
    running = await start(upstream.port);
  });
  afterAll(async () => {
    await running.close();
    await upstream.close();
    disturbances.stop();
  });
  beforeEach(() => upstream.forget());
  afterEach(() => expect(disturbances.take()).toEqual([]));

  test.each(rows)("$name", async (row: ConformanceCase) => {
    upstream.answerWith(row.upstream);
    const outcomes = row.unlike?.[engine] ?? row.gets;
    const whole = outcomes.length - (row.isCut ? 1 : 0);
    const { answers, rest, sentinel } = await talk(running.port, row.send, whole);
    // Where the client's connection ended, the upstream's must be in step all the same.
    const proof = sentinel ?? (await talk(running.port, sentinelRequest, 1)).answers[0];

    expect(upstream.violations).toEqual([]);
    expect(
      upstream.arrived.filter(({ line }) => !line.includes(` ${sentinelTarget} `)).map((message) => message.line),
    ).toEqual((row.reaches ?? []).map(({ line }) => line));
    row.reaches?.forEach((arrival, index) => expectArrival(upstream.arrived[index]!, arrival, upstream.port));
    outcomes.forEach((outcome, index) => {
      if (index < answers.length) expectOutcome(read(answers[index]!, outcome), outcome);
      else if (rest !== "" || !row.mayLoseHead) expect(Number(rest.split(" ")[1])).toBe(outcome.status);
    });
    expect(answers.length).toBe(whole);
    if (row.isCut === undefined) expect(rest).toBe("");
    if (row.staysOpen) expect(sentinel).toBeDefined();
    expect(proof && decode(proof)).toMatchObject({ line: "HTTP/1.1 200 OK", body: "GET /sentinel" });
  });

  /** A coding that the row speaks of is the upstream's. */
  function read(message: Message, { has }: Outcome): Message {
    return has?.["content-encoding"] === undefined ? decode(message) : message;
  }
}

function asItIs(answer: Message): Message {
  return answer;
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

function expectArrival({ headers, body }: Message, arrival: Arrival, port: number): void {
  expect(valuesOf(headers, "host")).toEqual([`127.0.0.1:${port}`]);
  expect([["keep-alive"], ["close"]]).toContainEqual(
    valuesOf(headers, "connection").map((value) => value.toLowerCase()),
  );
  for (const name of [...neverForwarded, ...(arrival.lacks ?? [])])
    expect([name, valuesOf(headers, name)]).toEqual([name, []]);
  expectHeaders(headers, arrival.has);
  expect(body).toBe(arrival.body ?? "");
}

function expectOutcome({ line, headers, body, trailers }: Message, outcome: Outcome): void {
  expect({ status: Number(line.split(" ")[1]), body: outcome.status < 400 ? "" : body }).toMatchObject({
    status: outcome.status,
  });
  if (outcome.code !== undefined)
    expect(JSON.parse(body)).toMatchObject({ code: outcome.code, status: outcome.status });
  expectHeaders(headers, outcome.has);
  for (const name of outcome.lacks ?? []) expect([name, valuesOf(headers, name)]).toEqual([name, []]);
  if (outcome.body !== undefined) expect(body).toBe(outcome.body);
  if (outcome.trailers !== undefined) expect(trailers).toEqual(outcome.trailers);
}

function expectHeaders(headers: readonly [string, string][], expected: Outcome["has"]): void {
  for (const [name, value] of Object.entries(expected ?? {}))
    expect([name, ...valuesOf(headers, name)]).toEqual([name, value].flat());
}
