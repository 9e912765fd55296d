import { expect, test } from "@jest/globals";
import { nameOfRequest } from "../../src/capabilities/caching/request-key.ts";

test("what a handler in JavaScript gives in the place of a text is read for each request", () => {
  let text = "ann";
  const changing = { toString: () => text } as unknown as string;
  const first = nameOfRequest("/orders", ["GET", "/orders", changing]);
  text = "bob";
  expect(nameOfRequest("/orders", ["GET", "/orders", changing])).not.toBe(first);
});

test("requests that differ in one text, or in where it ends, have two names", () => {
  const parts = [
    ["GET", "/orders", "a", "b"],
    ["GET", "/orders", "ab", ""],
    ["GET", "/orders", "a", "c"],
    ["GET", "/orders", "a"],
  ];
  const names = [...parts, ...parts].map((texts) => nameOfRequest("/orders", texts));
  expect(new Set(names).size).toBe(parts.length);
  expect(names.slice(0, parts.length)).toEqual(names.slice(parts.length));
});
