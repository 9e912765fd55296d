/** What the JSON Schema says of the form of a value, beside or instead of what Zod knows about it. */
export type ValueForm = Readonly<Record<string, unknown>>;

// What is absent, and what an environment variable will fill in.
const empty = "^$|";
const orElse = String.raw`${empty}\$\{`;
const decimalText = String.raw`${orElse}|^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$`;

/** True or false, also in quotes. */
export const flagForm: ValueForm = { type: ["boolean", "string"], pattern: `${orElse}|${anyCase(["true", "false"])}` };

/** A number, also in quotes; the bounds are only those of one without. */
export function numberForm(type: "integer" | "number", bounds: ValueForm): ValueForm {
  return { type: [type, "string"], ...bounds, pattern: decimalText };
}

/** One of some words: those that editors offer, and the same in any case and with blanks around. */
export function wordForm(words: readonly string[]): ValueForm {
  return { anyOf: [{ enum: words }, { pattern: `${orElse}|${anyCase(words)}` }] };
}

/** One of some words that editors offer, or any other text. */
export function orOwnName(words: readonly string[]): ValueForm {
  return { anyOf: [{ enum: words }, { type: "string" }] };
}

/** A method: editors offer the usual ones, and the reader knows all that Node knows. */
export const methodForm: ValueForm = {
  anyOf: [
    { enum: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] },
    { pattern: String.raw`${orElse}|^\s*[A-Za-z-]+\s*$` },
  ],
};

/** Text that .NET reads as an enumeration, by name, list or number: editors offer the names. */
export function enumTextForm(names: readonly string[]): ValueForm {
  const type = ["string", "integer"];
  return { type, anyOf: [{ enum: names }, { type }] };
}

/** Exactly one character. */
export const characterForm: ValueForm = { minLength: 1, maxLength: 1 };

/** The same where it is an entry of a list, of which an empty text is one. */
export function entryForm(form: ValueForm): ValueForm {
  const { pattern, anyOf } = form as { pattern?: string; anyOf?: ValueForm[] };
  return {
    ...form,
    ...(pattern?.startsWith(empty) ? { pattern: pattern.slice(empty.length) } : {}),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(entryForm) }),
  };
}

function anyCase(words: readonly string[]): string {
  const alternatives = words.map((word) => word.replace(/[a-z]/gi, bothCases));
  return String.raw`^\s*(${alternatives.join("|")})\s*$`;
}

function bothCases(letter: string): string {
  return `[${letter.toUpperCase()}${letter.toLowerCase()}]`;
}
