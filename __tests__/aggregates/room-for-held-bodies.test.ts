import { once } from "node:events";
import type { RequestListener } from "node:http";
import net, { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { createRoomForBodies, type HeldBytes, roomForBodies } from "../../src/aggregates/room-for-bodies.ts";
import { createAnswer } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { request } from "../helpers/send-raw.ts";
import { startWhole } from "./start-whole.ts";

const kibibyte = 1_024;
const mebibyte = 1_024 * kibibyte;
const roomOfAll = 256 * mebibyte;
const forNothing = 256 * kibibyte;

let others: HeldBytes;

const nobody = { onEnd: () => undefined, refuse: () => undefined, cut: () => undefined };

/** Fills the room of the process, but for some bytes. */
function fill(left: number): void {
  others.take(roomOfAll + forNothing - left);
}

function isEmpty(): boolean {
  const all = roomForBodies.begin(nobody, new Socket());
  const hasRoom = all.take(roomOfAll + forNothing);
  all.shrinkTo(0);
  return hasRoom;
}

async function whenEmpty(): Promise<void> {
  while (!isEmpty()) await new Promise((resolve) => setImmediate(resolve));
}

beforeEach(() => {
  others = roomForBodies.begin(nobody, new Socket());
});

afterEach(async () => {
  jest.useRealTimers();
  others.shrinkTo(0);
  await whenEmpty();
});

/** As many values as are asked for, each of which is answered with so many bytes. */
function answers(values: number, bytes: number, first = 0): RequestListener {
  const ids = JSON.stringify([...Array.from({ length: values }, (_, id) => ({ id })), "x".repeat(first)]);
  const body = JSON.stringify("x".repeat(bytes));
  return (req, res) => {
    res.setHeader("content-type", "application/json").end(req.url === "/a" ? ids : req.url === "/b" ? "1" : body);
  };
}

const scarce = { HttpHandlerOptions: { MaxConnectionsPerServer: 1 } };
const aggregators = { count: (parts: readonly object[]) => createAnswer({ status: 200, body: String(parts.length) }) };

describe.each(engines)("The room for bodies of all aggregates ($name)", ({ create }) => {
  test.each([
    { what: "are read ahead", keys: { users: scarce } },
    {
      what: "are read ahead, where null stands in for parts",
      keys: { users: scarce, aggregate: { OnFailure: "Null" } },
    },
    { what: "are for an aggregator", keys: { aggregate: { Aggregator: "count" } } },
    { what: "are a first answer", keys: {}, first: 512 * kibibyte },
  ])("refuses a request whose bodies $what, where it is full", async ({ keys, first }) => {
    const bytes = first === undefined ? 200 * kibibyte : 1;
    const { gateway } = await startWhole(keys, { engine: create(), aggregators, answer: answers(4, bytes, first) });
    fill(0);
    const refused = await request({ port: gateway.port, path: "/values" });
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "1"]);
    expect(refused.body.toString()).toContain("Too much of the answers of parts is kept");

    others.shrinkTo(0);
    expect(await request({ port: gateway.port, path: "/values" })).toMatchObject({ status: 200 });
    await whenEmpty();
  });

  test("keeps nobody out whose bodies are short", async () => {
    const { gateway } = await startWhole({ users: scarce }, { engine: create(), answer: answers(4, 50 * kibibyte) });
    fill(0);
    const answer = await request({ port: gateway.port, path: "/values" });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body.toString())).toMatchObject({ users: Array(4).fill("x".repeat(50 * kibibyte)) });
  });

  test("is given back where the client leaves, and where a part fails", async () => {
    let [breaks, begun] = [true, 0];
    const whole = answers(4, 500 * kibibyte);
    const { gateway } = await startWhole(
      { users: scarce, aggregate: { OnFailure: "Null" } },
      {
        engine: create(),
        answer(req, res) {
          if (req.url !== "/users/3") whole(req, res);
          else if (breaks) res.destroy();
          else begun += 1;
        },
      },
    );
    expect((await request({ port: gateway.port, path: "/values" })).status).toBe(200);
    await whenEmpty();

    breaks = false;
    const client = net.connect(gateway.port, "127.0.0.1");
    client.write("GET /values HTTP/1.1\r\nHost: g\r\n\r\n");
    while (begun === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(isEmpty()).toBe(false);
    client.destroy();
    await whenEmpty();
  });
});

test("A client that stands still is cut off for one that reads, where the room for bodies is full", async () => {
  const logged: unknown[] = [];
  const note = (fields: unknown): void => void logged.push((fields as { code?: string }).code);
  const logger = { info: note, warn: note, error: note, debug: () => undefined };
  const { gateway } = await startWhole({ users: scarce }, { logger, answer: answers(15, 1_000_000) });
  jest.useFakeTimers({ doNotFake: ["Date", "hrtime", "nextTick", "queueMicrotask", "setImmediate"] });
  fill(17 * mebibyte);
  const still = net.connect(gateway.port, "127.0.0.1");
  still.write("GET /values HTTP/1.1\r\nHost: g\r\n\r\n");
  await once(still, "readable");
  expect((await request({ port: gateway.port, path: "/values" })).status).toBe(503);

  let answer;
  do {
    for (let looks = 0; looks < 5; looks += 1) jest.advanceTimersByTime(1_250);
    answer = await request({ port: gateway.port, path: "/values" });
  } while (answer.status === 503);
  expect([answer.status, answer.body.length > 15_000_000]).toEqual([200, true]);
  expect(logged).toContain("download-stalled");
  const cut = once(still, "close");
  still.on("error", () => undefined).resume();
  await cut;
  expect(still.bytesRead).toBeLessThan(15_000_000);
});

describe("A room for bodies", () => {
  /** What `createStandstill` reads of a socket for which something waits. */
  const waiting = { writableLength: 1, bytesWritten: 1 };

  function begin(room: ReturnType<typeof createRoomForBodies>, socket = new Socket()) {
    const ends: (() => void)[] = [];
    const end = (): void => {
      for (const listener of ends) listener();
    };
    const whole = { onEnd: (listener: () => void) => ends.push(listener), refuse: jest.fn(end), cut: jest.fn(end) };
    return { ...whole, held: room.begin(whole, socket), end };
  }

  const bounds = { mostBytes: 10, bytesForNothing: 2, longestStill: 40 };

  test("takes what is over from those only that it is full for, and refuses nobody who answers already", () => {
    const room = createRoomForBodies(bounds);
    const [first, second] = [begin(room), begin(room)];
    expect([first.held.take(12), second.held.take(2)]).toEqual([true, true]);
    second.held.answered();
    expect([second.held.take(1), second.refuse.mock.calls]).toEqual([false, []]);
    expect(second.held.throwRefusal).not.toThrow();
    first.held.giveBack(1);
    expect([second.held.take(0), second.held.take(1)]).toEqual([true, false]);
    first.end();
    expect(second.held.take(0)).toBe(true);
    const third = begin(room);
    expect([third.held.take(10), third.held.take(1), third.refuse.mock.calls.length]).toEqual([true, false, 1]);
    expect(third.held.throwRefusal).toThrow(expect.objectContaining({ code: "overloaded" }));
  });

  test("cuts the client that has stood still the longest, and none that has taken something since", () => {
    jest.useFakeTimers();
    const room = createRoomForBodies(bounds);
    const sockets = [{ ...waiting }, { ...waiting }, { ...waiting }];
    const holders = sockets.map((socket) => {
      const holder = begin(room, socket as unknown as Socket);
      holder.held.take(5);
      for (let looks = 0; looks < 5; looks += 1) jest.advanceTimersByTime(10);
      return holder;
    });
    sockets[0]!.bytesWritten += 1;
    const newcomer = begin(room);
    expect(newcomer.held.take(5)).toBe(true);
    expect(holders.map(({ cut }) => cut.mock.calls.length)).toEqual([0, 1, 0]);
    expect(newcomer.held.take(3)).toBe(true);
    expect(holders.map(({ cut }) => cut.mock.calls.length)).toEqual([0, 1, 1]);
    expect([newcomer.held.take(3), newcomer.refuse.mock.calls.length]).toEqual([false, 1]);
  });
});
