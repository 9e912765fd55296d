import { describe, expect, test } from "@jest/globals";
import { timesUsual } from "../helpers/compare-costs.ts";
import { processorTimeOf } from "../helpers/processor-time.ts";
import { maskSource } from "../../src/config/problems/mask-source.ts";
import { maskMessage } from "../../src/config/problems/mask-url.ts";
import { runAtOnce } from "../../src/time-slices.ts";
import { maskValues, redactAsked, redactSent, redactUnmatched } from "../../src/secrets/redact.ts";

const characters = {
  letters: "abcXYZ019",
  separators: "/?&=;#:@",
  escapes: "%2541%zz+%20%C3%A9",
  addresses: "://a:b&c=%3A%2F%2F@:80/",
  periodic: "a",
  regular: ".*+?^${}()|[]\\-",
  beyond: "\u00e9\u00ff\u20ac\ud83d\ude00\ud800",
  controls: "\u0000\n\u001b\u007f\u0085",
} as const;

const urlLimit = 8_192;

const route = { UpstreamPathTemplate: "/by/{token}/x/{rest}", DownstreamPathTemplate: "/t/{rest}/{token}" };

test("many values cost a text no more than a few do", async () => {
  const text = "a line of a log, with some path /a/b/c?d=e in it ".repeat(20);
  const maskBy = (count: number): (() => number) => {
    const values = Array.from({ length: count }, (_, index) => `secret-${index}-of-a-configuration`);
    return () => processorTimeOf(() => Array.from({ length: 20 }, () => maskValues(text, values)));
  };
  expect(await timesUsual({ suspected: maskBy(4_000), usual: maskBy(4), most: 8 })).toBeLessThan(8);
});

/** CPU time in microseconds of masking a URL with such a value. */
function costOf(value: string): number {
  const values = { captured: { token: value, rest: value }, current: { token: `${value}1`, rest: value } };
  const urls = [`/by/${value}/x/${value}?q=${value}`, `http://a/t/${value}/${value}1`, `/elsewhere/${value}/${value}`];
  return processorTimeOf(() => {
    redactAsked(urls[0]!, route, values);
    redactSent(urls[1]!, route, values);
    redactSent(urls[2]!, route, values);
  });
}

describe("the cost of masking grows with the length alone", () => {
  const lengths = [0, 1, 3, 4, 7, 8, 100, 1_000, 5_000, 6_300, urlLimit, 2 * urlLimit];

  test.each(Object.entries(characters))("of %s", async (_class, alphabet) => {
    for (const length of lengths) expect(() => costOf(repeat(alphabet, length))).not.toThrow();
    const perCharacter = (length: number) => () => costOf(repeat(alphabet, length)) / length;
    const [suspected, usual] = [perCharacter(2 * urlLimit), perCharacter(urlLimit / 4)];
    expect(await timesUsual({ suspected, usual, most: 5 })).toBeLessThan(5);
  });

  test("a secret of 16 KB among many parts of itself costs no more than another", async () => {
    const usual = () => costOf("k".repeat(16) + repeat(characters.letters, 2 * urlLimit));
    const suspected = () => costOf(`${"a".repeat(urlLimit)}b${"a".repeat(urlLimit)}`);
    expect(await timesUsual({ suspected, usual, most: 20, atFirst: 5 })).toBeLessThan(20);
  });
});

describe("a sign that was escaped over and over costs a URL no more than another", () => {
  const places: Readonly<Record<string, (digits: string) => string>> = {
    "a slash before the host": (digits) => `/x:%2F%${digits}2F?a=@`,
    "the first slash": (digits) => `/x:%${digits}2F/u?a=@`,
    "a line end between slashes": (digits) => `/x:/%${digits}0A/u?a=@`,
    "the colon of the scheme": (digits) => `/http%${digits}3A//u:p?a=@`,
    "a letter of the scheme": (digits) => `/ht%${digits}74p://u:p?a=@`,
    "a letter of the name": (digits) => `/x://%${digits}75:p?a=@`,
    "a digit of the port": (digits) => `/x://u:1%${digits}31?a=@`,
    "what stands behind the port": (digits) => `/x://u:1%${digits}2F?a=@`,
    "the sign before the host": (digits) => `/x://u:p%${digits}40h`,
    "each slash of many": (digits) => `/x:${"%2F%252F".repeat(digits.length / 8)}?a=@`,
    "each line end of many": (digits) => `/x:%2F${"%250A".repeat(digits.length / 5)}?a=@`,
    "each delete of many": (digits) => `/x:%2F%2F${"%257F".repeat(digits.length / 5)}?a=@`,
    "each digit of many": (digits) => `/x:%2F%2Fu:${"%2531".repeat(digits.length / 5)}?a=@`,
    "each address of many": (digits) => `/x${":%2F%25252Fu:1".repeat(digits.length / 14)}?a=@`,
  };

  test.each(Object.entries(places))("%s", async (_place, urlWith) => {
    const perCharacter = (length: number): (() => number) => {
      const url = urlWith("25".repeat(length / 2));
      return () => processorTimeOf(() => redactUnmatched(url, undefined)) / url.length;
    };
    const [suspected, usual] = [perCharacter(2 * urlLimit), perCharacter(urlLimit / 4)];
    expect(await timesUsual({ suspected, usual, most: 4 })).toBeLessThan(4);
  });
});

describe("names and passwords before hosts cost a text no more than its length", () => {
  const pieces = {
    "e-mail addresses": "me@x.de:a",
    "e-mail addresses behind schemes": "://me@x.de:a/",
    "ports behind e-mail addresses": "://me@x.de:80/",
    "signs and colons": "@:",
    "ampersands behind e-mail addresses": "://me@x&a",
    "names with separators": "a,b;c=d'e(f)g&h",
    "names with separators behind schemes": "://a,b;c=d'e(f)g&h:i",
    "schemes without slashes": "http:a:b",
    "schemes without slashes, with signs": "http:a@",
    "schemes with backslashes": "http:\\\\a",
    backslashes: "\\",
    "quotes that are escaped": '\\"',
    "quotes within URLs": ' "http://u:a"',
  };

  test.each(Object.entries(pieces))("%s", async (_what, piece) => {
    const perCharacter = (length: number): (() => number) => {
      const text = `/x:a: "http://${repeat(piece, length)}`;
      return () => processorTimeOf(() => [redactUnmatched(text, undefined), maskMessage(text)]) / text.length;
    };
    const [suspected, usual] = [perCharacter(2 * urlLimit), perCharacter(urlLimit / 4)];
    expect(await timesUsual({ suspected, usual, most: 4 })).toBeLessThan(4);
  });
});

describe("texts that are not closed cost a configuration no more than its length", () => {
  const pieces = {
    "empty lines behind a secret": "\n",
    "lines of a secret": "\nab",
    "indented lines": "\n  ab",
    parameters: "\n?a=b",
    "names before hosts": '\n"://u:a',
    "secrets in JSON": '\n\\"token\\": \\"ab',
    "quotes and lines": '"a\n',
  };

  test.each(Object.entries(pieces))("%s", async (_what, piece) => {
    const perCharacter = (length: number): (() => number) => {
      const texts = ['{ "Secret": "a', '{ "a": "/b?c=', '{ "a": "https://u:b'].map(
        (text) => text + repeat(piece, length),
      );
      return () => processorTimeOf(() => texts.forEach((text) => runAtOnce(maskSource(text)))) / length;
    };
    const [suspected, usual] = [perCharacter(16 * urlLimit), perCharacter(urlLimit)];
    expect(await timesUsual({ suspected, usual, most: 5 })).toBeLessThan(5);
  });
});

function repeat(alphabet: string, length: number): string {
  return alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, length);
}
