import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { printParseErrorCode, visit } from "jsonc-parser";
import { walkJson } from "../../src/json/walk-json.ts";
import { runAtOnce } from "../../src/time-slices.ts";
import { anyText } from "../fuzz/any-text.ts";
import { isLong } from "../fuzz/bounds.ts";

type Event = readonly unknown[];

function walked(text: string): Event[] {
  const events: Event[] = [];
  const note = (...event: unknown[]): void => void events.push(event);
  runAtOnce(
    walkJson(text, {
      opened: (kind, offset) => note("opened", kind, offset),
      closed: (kind, offset, length) => note("closed", kind, offset, length),
      named: (name, offset, length) => note("named", name, offset, length),
      valued: (value, offset, length) => note("valued", value, offset, length),
      failed: (fault, offset, length) => note("failed", fault, offset, length),
    }),
  );
  return events;
}

/** What jsonc-parser's own walk tells. */
function visited(text: string): Event[] {
  const events: Event[] = [];
  const note = (...event: unknown[]): void => void events.push(event);
  visit(
    text,
    {
      onObjectBegin: (offset) => note("opened", "object", offset),
      onArrayBegin: (offset) => note("opened", "array", offset),
      onObjectEnd: (offset, length) => note("closed", "object", offset, length),
      onArrayEnd: (offset, length) => note("closed", "array", offset, length),
      onObjectProperty: (name, offset, length) => note("named", name, offset, length),
      onLiteralValue: (value, offset, length) => note("valued", value, offset, length),
      onError: (code, offset, length) => note("failed", printParseErrorCode(code), offset, length),
    },
    { allowTrailingComma: true },
  );
  return events;
}

const token = fc.constantFrom(
  ...["{", "}", "[", "]", ",", ":", '"a"', '"b\\n"', "1", "-2.5e3", "true", "false", "null", " ", "\n"],
  ...["// note\n", "/* note */", "/* open", '"open', "'a'", "nul", "1e", "-", '"\\q"', '"\\u12"', '"\t"', "01", "é"],
);

/** Text that is nearly JSON: whole values out of which a few tokens are taken, or into which some are put. */
const broken = fc
  .tuple(fc.json({ maxDepth: 4 }), fc.array(fc.tuple(fc.nat(200), fc.nat(2), token), { maxLength: 4 }))
  .map(([text, changes]) =>
    changes.reduce((changed, [at, removed, put]) => changed.slice(0, at) + put + changed.slice(at + removed), text),
  );

describe("the walk through JSON tells what jsonc-parser's own does", () => {
  test.each([
    ["of any sequence of tokens", fc.array(token, { maxLength: 25 }).map((tokens) => tokens.join(""))],
    ["of JSON with mistakes in it", broken],
    ["of any text", anyText()],
  ])("%s", (_what, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(walked(text)).toEqual(visited(text));
      }),
      { seed: 9, numRuns: isLong ? 1_000 : 250 },
    );
  });
});
