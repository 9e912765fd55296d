import { METHODS } from "node:http";
import { z } from "zod";
import type { ProblemCode } from "./problem-codes.ts";
import { flagForm, methodForm, numberForm, wordForm, type ValueForm } from "./value-forms.ts";

const decimalNumber = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

const booleans: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

/** What an issue tells besides what was expected: its code, and the words among which a mistyped one may be. */
export type IssueDetails = Readonly<{ code: ProblemCode; words?: readonly string[] }>;

/** What is known of a value besides how it is read. */
type ValueDetails = Partial<IssueDetails> & Readonly<{ form?: ValueForm }>;

/**
 * A configuration is a tree of texts, as in .NET: numbers and booleans come here as they were written,
 * so that `"Port": "80"` and `"Port": 80` are the same. The message of an issue is what was expected.
 */
export function value<Value>(
  expected: string,
  read: (written: string) => Value | undefined,
  { form = {}, ...details }: ValueDetails,
): z.ZodType<Value> {
  const params: IssueDetails = { code: "wrong-type", ...details };
  const schema = z.string(expected).transform((written, context) => {
    const result = read(written);
    if (result !== undefined) return result;
    context.addIssue({ code: "custom", message: expected, params });
    return z.NEVER;
  });
  return schema.meta(form);
}

/** The number that a text says, in decimal digits; NaN for any other text. */
export function readNumber(written: string): number {
  const trimmed = written.trim();
  return decimalNumber.test(trimmed) ? Number(trimmed) : Number.NaN;
}

function numberValue(expected: string, accepts: (number: number) => boolean, details: ValueDetails): z.ZodType<number> {
  return value(expected, (written) => [readNumber(written)].find(accepts), details);
}

/** What is said of a number within bounds, where their own words do not do. */
type BoundedDetails = Partial<IssueDetails> & Readonly<{ expected?: string }>;

/** A whole number within bounds, which count as within. */
export function wholeNumber(least: number, most: number, details: BoundedDetails = {}): z.ZodType<number> {
  const { expected = `a whole number from ${least} to ${most}`, ...issue } = details;
  const form = numberForm("integer", { minimum: least, maximum: most });
  const accepts = (number: number): boolean => Number.isInteger(number) && number >= least && number <= most;
  return numberValue(expected, accepts, { ...issue, form });
}

/** A number within bounds, which count as within; it may have a fraction. */
export function numberFrom(least: number, most: number, details: BoundedDetails = {}): z.ZodType<number> {
  const { expected = `a number from ${least} to ${most}`, ...issue } = details;
  const form = numberForm("number", { minimum: least, maximum: most });
  return numberValue(expected, (number) => number >= least && number <= most, { ...issue, form });
}

/** One of some words, written in any case and with blanks around it. */
export function oneOf<const Word extends string>(words: readonly Word[], code: ProblemCode): z.ZodType<Word> {
  const byLowerCase = new Map(words.map((word) => [word.toLowerCase(), word]));
  return value(`one of ${words.join(", ")}`, (written) => byLowerCase.get(written.trim().toLowerCase()), {
    code,
    words,
    form: wordForm(words),
  });
}

/** Free text. */
export const text: z.ZodType<string> = z.string("text");

/** A list of texts. */
export const texts: z.ZodType<string[]> = z.array(text, 'a list of texts, such as ["a"]');

/** Several texts, or one alone. */
export const textOrTexts: z.ZodType<string[]> = z
  .preprocess(
    (written) => (typeof written === "string" ? [written] : written),
    z.array(text, "a text, or a list of texts"),
  )
  .meta({ type: ["array", "string"], items: { type: "string" } });

/** True or false. */
export const flag: z.ZodType<boolean> = value(
  "true or false",
  (written) => booleans.get(written.trim().toLowerCase()),
  { form: flagForm },
);

/** A whole number of 32 bits. */
export const integer: z.ZodType<number> = wholeNumber(1 - 2 ** 31, 2 ** 31 - 1, {
  expected: "a whole number up to 2147483647",
});

/** A number that may have a fraction. */
export const decimal: z.ZodType<number> = numberValue("a number", Number.isFinite, { form: numberForm("number", {}) });

/** Bytes, none included. */
export const byteCount: z.ZodType<number> = numberValue(
  "a whole number of bytes, 0 or more",
  (number) => Number.isSafeInteger(number) && number >= 0,
  { form: numberForm("integer", { minimum: 0 }) },
);

/** A whole number from 1. */
export const count: z.ZodType<number> = numberValue(
  "a whole number, 1 or more",
  (number) => Number.isSafeInteger(number) && number > 0,
  { form: numberForm("integer", { minimum: 1 }) },
);

/** A span of time that a timer can keep. */
export const seconds: z.ZodType<number> = numberValue(
  "a number of seconds above 0 and up to 2147483",
  (number) => number > 0 && number <= 2_147_483,
  { form: numberForm("number", { exclusiveMinimum: 0, maximum: 2_147_483 }) },
);

/** A span of whole milliseconds that a timer can keep. */
export const milliseconds: z.ZodType<number> = wholeNumber(1, 2 ** 31 - 1, {
  expected: "a whole number of milliseconds, 1 or more and up to 2147483647",
});

/** A span of seconds that may be none. */
export const secondsOrZero: z.ZodType<number> = numberFrom(0, 2_147_483, {
  expected: "a number of seconds from 0 to 2147483",
});

/** A TCP port. */
export const port: z.ZodType<number> = wholeNumber(1, 65_535, {
  expected: "a port from 1 to 65535",
  code: "port-invalid",
});

/** How much something takes beside others. */
export const weight: z.ZodType<number> = wholeNumber(1, 100, { code: "weight-invalid" });

const methodNames: ReadonlySet<string> = new Set(METHODS);

/** A method of HTTP. */
export const httpMethod: z.ZodType<string> = value(
  "a method of HTTP, such as GET",
  (written) => [written.trim().toUpperCase()].find((method) => methodNames.has(method)),
  { code: "method-unknown", words: METHODS, form: methodForm },
);

/** Whether it is a method that Node reads at all. */
export function isKnownMethod(method: string): boolean {
  return methodNames.has(method);
}

const anyMethod: z.ZodType<string> = value(
  "a method of HTTP, such as GET",
  (written) => (written.trim() === "" ? undefined : written.trim().toUpperCase()),
  { code: "method-unknown", form: methodForm },
);

/** The methods of a route, each once; one that no request has is kept, since a list without any means all. */
export const httpMethods: z.ZodType<string[]> = z
  .array(anyMethod, 'a list of methods, such as ["GET"]')
  .transform((methods) => [...new Set(methods)])
  .meta({ type: ["array", "string"] });

/** The scheme of an address. */
export const scheme: z.ZodType<"http" | "https" | "ws" | "wss"> = oneOf(
  ["http", "https", "ws", "wss"],
  "scheme-unknown",
);
