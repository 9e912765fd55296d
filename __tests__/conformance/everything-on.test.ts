import { setImmediate as nextTurn } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { engineNames } from "../everything-on/create-gateway.ts";
import { takingTurns } from "../fuzz/bounds.ts";
import { allCases } from "./cases/all-cases.ts";
import { playRows } from "./play-rows.ts";
import { type Message, valuesOf } from "./read-messages.ts";
import { type EverythingOn, startEverythingOn } from "./start-everything-on.ts";
import { findUnknownNames, withEverythingOn } from "./unlike-bare.ts";

const responders = ["json", "header"] as const;

/** In the short form each row is played once, at the engine at which it is not played bare. */
const combinations = responders.flatMap((responder, ofResponder) =>
  engineNames.map((engine, ofEngine) => {
    const rows = takingTurns(takingTurns(allCases, engineNames.length, ofEngine), responders.length, ofResponder);
    return { engine, responder, rows: rows.flatMap((row) => withEverythingOn(row, responder)) };
  }),
);

describe.each(combinations)("everything on: $engine, metadata as $responder", ({ engine, responder, rows }) => {
  let running: EverythingOn;
  let coded = 0;
  playRows(rows, { engine, start, decode });

  test("compression compressed, each request was logged once, and no error was", async () => {
    const { tally, errors } = running;
    while (tally.lines < tally.matched - tally.left) await nextTurn();
    expect(errors).toEqual([]);
    expect(tally.lines).toBe(tally.matched - tally.left);
    expect(coded).toBeGreaterThan(rows.length / 2);
  });

  async function start(upstreamPort: number): Promise<EverythingOn> {
    running = await startEverythingOn({ engine, responder }, upstreamPort);
    return running;
  }

  function decode(answer: Message): Message {
    if (valuesOf(answer.headers, "content-encoding")[0] !== "gzip" || answer.body === "") return answer;
    coded += 1;
    return { ...answer, body: gunzipSync(Buffer.from(answer.body, "latin1")).toString("latin1") };
  }
});

test("each row in the list of differences is one of the table", () => expect(findUnknownNames()).toEqual([]));
