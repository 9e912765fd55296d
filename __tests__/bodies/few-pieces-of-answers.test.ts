import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { chunksOf } from "./chunks-of.ts";
import { end, head, oneByte, question, type RawAnswers, startRawAnswers } from "./start-raw-answers.ts";
import { untilTrue } from "./until-true.ts";

describe.each(engines)("$name: an answer in short chunks", ({ create }) => {
  let answers: RawAnswers;

  beforeEach(async () => void (answers = await startRawAnswers(create)));
  afterEach(() => answers.close());

  test("arrives whole, in few chunks, and the next one on the same connections", async () => {
    const count = 100_000;
    answers.answerWith((socket) => socket.write(head + oneByte.repeat(count) + end));
    const client = answers.ask();
    for (const times of [1, 2]) {
      if (times === 2) client.socket.write(question);
      await untilTrue(() => client.got().split(end).length > times);
      const chunks = chunksOf(client.got().slice(client.got().lastIndexOf("HTTP/1.1 ")));
      expect(chunks.join("")).toBe("a".repeat(count));
      expect(chunks.length).toBeLessThan(count / 100);
    }
    expect(answers.accepted()).toBe(1);
  });

  test("arrives whole, though more of it is there than is taken at a time", async () => {
    const chunk = `64\r\n${"a".repeat(100)}\r\n`;
    answers.answerWith((socket) => socket.write(head + chunk.repeat(20_000) + end));
    const client = answers.ask();
    await untilTrue(() => client.got().endsWith(end) || client.socket.closed);
    expect(chunksOf(client.got()).join("") === "a".repeat(2_000_000)).toBe(true);
  });

  test("arrives in its order, whatever the lengths of its chunks, before its trailers", async () => {
    const lengths = [1, 1, 2_000, 1, 1_023, 1_024, 1, 20_000, 3, 3, 900, 900, 70_000, 1];
    const parts = Array.from({ length: 40 }, () => [...lengths, ...Array<number>(40).fill(2)]).flat();
    const texts = parts.map((length, index) => String.fromCharCode(97 + (index % 26)).repeat(length));
    const chunks = texts.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join("");
    const withTrailer = head.replace("\r\n\r\n", "\r\nTrailer: X-Sum\r\n\r\n");
    answers.answerWith((socket) => socket.write(`${withTrailer}${chunks}0\r\nX-Sum: 42\r\n\r\n`));
    const client = answers.ask();
    await untilTrue(() => client.got().endsWith("42\r\n\r\n"));
    expect(chunksOf(client.got()).join("") === texts.join("")).toBe(true);
    expect(client.got().toLowerCase().endsWith("\r\n0\r\nx-sum: 42\r\n\r\n")).toBe(true);
  });

  test("goes on at once, though more of it is to come", async () => {
    const { client, service } = await answers.begin();
    service.write("7\r\ndata: a\r\n");
    await untilTrue(() => client.got().includes("data: a"));
    service.write("1\r\nb\r\n".repeat(200) + "2\r\ncd\r\n");
    await untilTrue(() => client.got().includes("cd"));
    service.write(end);
    await untilTrue(() => client.got().endsWith(end));
    expect(chunksOf(client.got()).join("")).toBe(`data: a${"b".repeat(200)}cd`);
  });

  test.each([
    ["closes its connection", (socket: Socket) => socket.end(oneByte.repeat(200))],
    ["sends what is no chunk", (socket: Socket) => socket.write(`${oneByte.repeat(200)}none\r\n`)],
  ])("goes to the client as far as it came, where the service %s", async (_what, breakOff) => {
    const { client, service } = await answers.begin();
    breakOff(service);
    await once(client.socket, "close");
    expect(chunksOf(client.got()).join("")).toBe("a".repeat(200));
    expect(client.got().endsWith(end)).toBe(false);
  });

  test("is cut where what writes it throws", async () => {
    answers.server.prependListener("request", (_req, res: ServerResponse) => {
      const write = res.write.bind(res);
      res.write = (piece: Buffer) => {
        if (piece.length > 1) throw new Error("Nothing long.");
        return write(piece);
      };
    });
    const { client, service } = await answers.begin();
    // The first of a turn go on as they come, the others at its end.
    for (let turn = 0; turn < 20; turn += 1) {
      if (service.writable) service.write(oneByte.repeat(20));
      await nextTurn();
    }
    await untilTrue(() => client.socket.closed);
    expect(client.got().endsWith(end)).toBe(false);
  });
});
