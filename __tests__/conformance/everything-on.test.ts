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

const combinations = (["json", "header"] as const)
  .flatMap((responder) => engineNames.map((engine) => ({ engine, responder })))
  .map((combination, turn) => ({ ...combination, turn }));

describe.each(combinations)("everything on: $engine, metadata as $responder", ({ engine, responder, turn }) => {
  let running: EverythingOn;
  let coded = 0;
  // In the short form each row is played once.
  const rows = takingTurns(allCases, combinations.length, turn).flatMap((row) => withEverythingOn(row, responder));
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
