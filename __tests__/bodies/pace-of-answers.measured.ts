import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { chunksOf } from "./chunks-of.ts";
import { end, head, oneByte, type RawAnswers, startRawAnswers, writeOften } from "./start-raw-answers.ts";
import { untilTrue } from "./until-true.ts";

const burst = oneByte.repeat(20_000);

describe.each(engines)("$name: an answer in short chunks", ({ create }) => {
  let answers: RawAnswers;
  /** All connections that anybody has opened, those of the gateway among them. */
  let connected: Socket[];
  const keep = (message: unknown): unknown => connected.push((message as { socket: Socket }).socket);

  beforeEach(async () => {
    connected = [];
    subscribe("net.client.socket", keep);
    answers = await startRawAnswers(create);
  });

  afterEach(async () => {
    unsubscribe("net.client.socket", keep);
    await answers.close();
  });

  function sendForEver(socket: Socket, text = burst): void {
    socket.write(head);
    writeOften(socket, text);
  }

  test("waits for a client that does not read for a while, and arrives whole", async () => {
    answers.answerWith((socket) => {
      socket.write(head);
      writeOften(socket, oneByte.repeat(10_000), 100, () => socket.write(end));
    });
    const client = answers.ask();
    client.socket.pause();
    for (let turn = 0; turn < 300; turn += 1) await nextTurn();
    // Node does so to have more come.
    for (const socket of connected) socket.read(0);
    client.socket.resume();
    await untilTrue(() => client.got().endsWith(end) || client.socket.closed);
    expect(chunksOf(client.got()).join("")).toHaveLength(1_000_000);
  });

  test("is read no further while its client does not read", async () => {
    const asking: Socket[] = [];
    answers.server.on("connection", (socket) => asking.push(socket));
    answers.answerWith((socket) => sendForEver(socket, `3e8\r\n${"a".repeat(1_000)}\r\n`.repeat(100)));
    const client = answers.ask();
    await once(client.socket, "data");
    client.socket.pause();
    const read = (): number => connected.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    let [before, turnsAlike] = [read(), 0];
    await untilTrue(() => {
      turnsAlike = read() === before ? turnsAlike + 1 : 0;
      before = read();
      return turnsAlike === 100;
    });
    const waiting = asking[0]!.writableLength;
    expect(waiting).toBeGreaterThan(0);
    expect(waiting).toBeLessThan(1_000_000);
  });

  test("is read no faster than it goes on", async () => {
    const most = 262_144;
    answers.answerWith((socket) => sendForEver(socket));
    const client = answers.ask();
    await untilTrue(() => client.got().length > most / 4);
    let waiting = 0;
    for (let turn = 0; turn < 50; turn += 1) {
      waiting = Math.max(waiting, ...connected.map(({ readableLength }) => readableLength));
      await nextTurn();
    }
    expect(waiting).toBeLessThan(most);
  });

  test("is read from one service at a time, once in a turn", async () => {
    const [most, turns] = [16_384, 30];
    answers.answerWith((socket) => sendForEver(socket));
    const clients = Array.from({ length: 8 }, answers.ask);
    const got = (): number => clients.reduce((sum, client) => sum + client.got().length, 0);
    // All have been read from by then, which took one turn.
    await untilTrue(() => clients.every((client) => client.got().length > most));
    const taken: number[] = [];
    for (let stretch = 0; stretch < 5; stretch += 1) {
      const before = got();
      for (let passed = 0; passed < turns; passed += 1) await nextTurn();
      taken.push(got() - before);
    }
    taken.sort((a, b) => a - b);
    expect(taken.at(-1)).toBeGreaterThan(0);
    expect(taken[2]).toBeLessThan(most * turns * 1.5);
  });

  test.each([
    ["reads it", (socket: Socket) => socket],
    ["does not read it", (socket: Socket) => socket.pause()],
  ])("ends when its client, which %s, leaves", async (_what, read) => {
    const ended = Promise.withResolvers<undefined>();
    answers.answerWith((socket) => sendForEver(socket.once("close", () => ended.resolve(undefined))));
    const client = answers.ask();
    await once(client.socket, "data");
    read(client.socket);
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    client.socket.destroy();
    await expect(ended.promise).resolves.toBeUndefined();
  });
});
