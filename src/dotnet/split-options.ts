import { parseEnumText } from "./enum-text.ts";

/** .NET's `StringSplitOptions`. */
export const stringSplitOptions = { None: 0, RemoveEmptyEntries: 1, TrimEntries: 2 } as const;

const members: ReadonlyMap<string, number> = new Map(Object.entries(stringSplitOptions));

/** The bits of a configured `StringSplitOption` (`RemoveEmptyEntries, TrimEntries`, `3`), or `undefined` where .NET would refuse it. */
export function parseStringSplitOption(text: string): number | undefined {
  return parseEnumText(text, members);
}
