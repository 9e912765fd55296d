import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { chunksOf } from "./chunks-of.ts";
import { type Client, head, oneByte, type RawAnswers, startRawAnswers } from "./start-raw-answers.ts";
import { untilTrue } from "./until-true.ts";

describe.each(engines)("$name: an answer in short chunks", ({ create }) => {
  let answers: RawAnswers;

  beforeEach(async () => void (answers = await startRawAnswers(create)));
  afterEach(() => answers.close());

  test("has its turn together with others that bring as little", async () => {
    const [count, burst] = [200, oneByte.repeat(200)];
    const asked: Socket[] = [];
    answers.answerWith((socket) => {
      socket.write(head);
      asked.push(socket);
    });
    const clients = Array.from({ length: count }, answers.ask);
    await untilTrue(() => clients.every((client) => client.got().endsWith("\r\n\r\n")));
    for (const socket of asked) socket.write(burst);
    let turns = 0;
    const isThere = (client: Client): boolean => chunksOf(client.got()).join("").length === 200;
    for (; turns < count && !clients.every(isThere); turns += 1) await nextTurn();
    expect(turns).toBeLessThan(count / 2);
  });
});
