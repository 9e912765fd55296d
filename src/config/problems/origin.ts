import type { Span } from "../../json/json-node.ts";
import { countUpTo } from "./count-up-to.ts";
import type { SourceText } from "./source-text.ts";

/** Where a configuration came from: texts can be shown, an object cannot. */
export type Origin = Readonly<{
  /** What the whole is called. */
  file: string | undefined;
  /** The texts that it was read from, in order; none where it came as an object. */
  texts: readonly OriginText[];
  /** Where each of them begins. */
  starts: readonly number[];
  /** Values that no message may show, though no key around them says so. */
  secrets: readonly string[];
}>;

/** One text among all, by the offset at which it begins. */
export type OriginText = Readonly<{ file: string | undefined; source: SourceText; start: number }>;

/** Makes the origin of texts, or of none. */
export function createOrigin(
  file: string | undefined,
  texts: readonly OriginText[] = [],
  secrets: readonly string[] = [],
): Origin {
  return { file, texts, starts: texts.map(({ start }) => start), secrets };
}

/** The text in which something stands; only the name of the whole for what stands nowhere. */
export function textOf(
  { start }: Span,
  { file, texts, starts }: Origin,
): OriginText | Readonly<{ file: string | undefined; source: undefined; start: number }> {
  const found = start < 0 ? undefined : texts[countUpTo(starts, start) - 1];
  return found ?? { file, source: undefined, start: 0 };
}
