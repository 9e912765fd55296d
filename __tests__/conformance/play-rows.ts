import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { watchProcess } from "../helpers/watch-process.ts";
import { claimsOfArrival, claimsOfOutcome, claimsOfStatus, expectClaims } from "./claims.ts";
import type { ConformanceCase, Outcome } from "./conformance-case.ts";
import type { Message } from "./read-messages.ts";
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

    const { reaches = [] } = row;
    const arrived = upstream.arrived.filter(({ line }) => !line.includes(` ${sentinelTarget} `));
    const proven = decode(proof ?? nothing);
    expectClaims([
      ["what no strict parser reads", upstream.violations, []],
      ["what reaches the upstream", arrived.map(({ line }) => line), reaches.map(({ line }) => line)],
      ...reaches.flatMap((arrival, index) => claimsOfArrival(arrived[index] ?? nothing, arrival, upstream.port)),
      ["whole answers", answers.length, whole],
      ...outcomes.flatMap((outcome, index) => {
        if (index < answers.length) return claimsOfOutcome(read(answers[index]!, outcome), outcome);
        return rest === "" && row.mayLoseHead ? [] : claimsOfStatus(rest, outcome);
      }),
      ["what is left over", row.isCut ? "" : rest, ""],
      ["whether the connection stays open", sentinel !== undefined, row.staysOpen ?? sentinel !== undefined],
      ["the next answer", [proven.line, proven.body], ["HTTP/1.1 200 OK", `GET ${sentinelTarget}`]],
    ]);
  });

  /** A coding that the row speaks of is the upstream's. */
  function read(message: Message, { has }: Outcome): Message {
    return has?.["content-encoding"] === undefined ? decode(message) : message;
  }
}

const nothing: Message = { line: "", headers: [], body: "", trailers: [] };

function asItIs(answer: Message): Message {
  return answer;
}
