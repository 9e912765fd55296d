import type { ProblemCode } from "../../../schema/problem-codes.ts";
import type { SchemeConfig } from "../scheme-keys.ts";

/** What is wrong with a scheme, and at which of its keys. */
export type SchemeFault = Readonly<{
  code: ProblemCode;
  within?: readonly (string | number)[];
  message: string;
  /** The key without which it is one: of a value that could not be read the reader has told already. */
  unlessWritten?: string;
}>;

/** A scheme as it was written; it may lack what it needs. */
export type WrittenScheme = Readonly<Partial<SchemeConfig>>;

/** Something is missing. */
export function incomplete(key: string, what: string): SchemeFault {
  return { code: "scheme-incomplete", message: `"${key}" is missing: expected ${what}` };
}

/** Something stands there that does not go with the rest. */
export function contradictory(key: string, message: string): SchemeFault {
  return { code: "scheme-contradictory", within: [key], message };
}
