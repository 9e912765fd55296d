import { expect, test } from "@jest/globals";
import { isPassing } from "../../src/operating/passing-file-error.ts";

const rows: readonly (readonly [code: string, isWorthAnotherTry: boolean])[] = [
  ["EMFILE", true],
  ["ESTALE", true],
  ["EIO", true],
  ["ETIMEDOUT", true],
  ["ENOENT", false],
  ["EACCES", false],
];

test.each(rows)("a file that could not be read because of %s is tried again though nothing changes: %p", (code, is) => {
  const cause = Object.assign(new Error("read"), { code });
  expect(isPassing(new Error("The file cannot be read.", { cause }))).toBe(is);
});
