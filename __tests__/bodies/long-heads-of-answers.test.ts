import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { errors } from "undici";
import { undiciEngine } from "../../src/undici.ts";
import { end, head, oneByte, type RawAnswers, startRawAnswers } from "./start-raw-answers.ts";

const fields = `X-Long: ${"l".repeat(16_384)}\r\n${"a:b\r\n".repeat(8_000)}\r\n`;
const overflow = errors.HeadersOverflowError.prototype;

let answers: RawAnswers;
let made: number;

beforeEach(async () => {
  answers = await startRawAnswers(undiciEngine);
  made = 0;
  Object.defineProperty(overflow, "name", { configurable: true, set: countMade });
});

afterEach(async () => {
  Reflect.deleteProperty(overflow, "name");
  await answers.close();
});

/** Each error writes its name once, behind that of its base class. */
function countMade(name: string): void {
  if (name === "HeadersOverflowError") made += 1;
}

test("undici makes one error of a head that is too long, and not one for each of its fields", async () => {
  answers.answerWith((socket) => socket.write(`HTTP/1.1 200 OK\r\n${fields}`));
  const client = answers.ask();
  await once(client.socket, "data");
  expect(client.got()).toContain("502 Bad Gateway");
  expect(made).toBe(1);
});

test("undici makes one error of trailers that are too long, and the answer breaks off", async () => {
  answers.answerWith((socket) => socket.write(`${head}${oneByte}0\r\n${fields}`));
  const client = answers.ask();
  await once(client.socket, "close");
  expect(client.got()).toContain("200 OK");
  expect(client.got().endsWith(end)).toBe(false);
  expect(made).toBe(1);
});
