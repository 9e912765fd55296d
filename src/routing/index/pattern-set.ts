import { getOrAdd } from "./get-or-add.ts";
import { createLiteralSearch, type LiteralSearch } from "./literal-search.ts";
import type { SegmentPattern, Stretch } from "../../templates/segment-pattern.ts";

/**
 * Patterns such as `item-{x}` or `{x}-v{y}.json` for the same segment, by their literals: first the one they begin with,
 * then those between placeholders, then the one they end with. What it costs to find those that match a text grows with its
 * length, not with the number of literals.
 */
export type PatternSet<V> = Readonly<{ prefixes: LiteralMap<PatternStep<V>> }>;

/** What can follow a placeholder: another literal and placeholder, or the end. */
type PatternStep<V> = {
  readonly inner: LiteralMap<PatternStep<V>>;
  readonly suffixes: LiteralMap<V>;
  /** Made when first needed. */
  search: LiteralSearch<PatternStep<V>> | undefined;
};

/** Values by literal, and the distinct lengths of the literals. */
type LiteralMap<T> = { readonly byText: Map<string, T>; lengths: number[] };

/** Of so few literals each is searched for by itself; of more, all at once. */
const fewLiterals = 4;

/** An empty set. */
export function createPatternSet<V>(): PatternSet<V> {
  return { prefixes: createLiteralMap() };
}

/** The value stored for a pattern with these literals; made first where there is none. */
export function getOrAddPattern<V>(set: PatternSet<V>, { literals }: SegmentPattern, create: () => V): V {
  let step = getOrAddLiteral(set.prefixes, literals[0]!, createStep<V>);
  for (const literal of literals.slice(1, -1)) step = getOrAddLiteral(step.inner, literal, createStep<V>);
  return getOrAddLiteral(step.suffixes, literals.at(-1)!, create);
}

/** Calls `visit` once with the value of each pattern that matches the stretch of the text. */
export function visitMatches<V>(set: PatternSet<V>, text: string, stretch: Stretch, visit: (value: V) => void): void {
  const { start, end, reach, least } = stretch;
  for (const length of set.prefixes.lengths) {
    const step = start + length > end ? undefined : set.prefixes.byText.get(text.slice(start, start + length));
    if (step !== undefined) visitStep(step, start + length);
  }

  function visitStep(step: PatternStep<V>, placeholderStart: number): void {
    const from = placeholderStart + least;
    for (const length of step.suffixes.lengths) {
      const value = end - length < from ? undefined : step.suffixes.byText.get(text.slice(end - length, end));
      if (value !== undefined) visit(value);
    }
    const { byText } = step.inner;
    if (byText.size === 0) return;
    if (byText.size > fewLiterals) searchAll(step, from);
    else byText.forEach((next, literal) => searchLiteral(next, literal, from));
  }

  // The leftmost place of a literal leaves most room for what follows, so it is enough to try that one.
  function searchLiteral(next: PatternStep<V>, literal: string, from: number): void {
    const found = text.indexOf(literal, from);
    if (found !== -1 && found + literal.length <= reach) visitStep(next, found + literal.length);
  }

  function searchAll(step: PatternStep<V>, from: number): void {
    // Between two placeholders side by side stands an empty literal, which is found everywhere.
    const touching = step.inner.byText.get("");
    if (touching !== undefined) visitStep(touching, from);
    step.search ??= createLiteralSearch(step.inner.byText);
    step.search(text, from, reach, visitStep);
  }
}

function createLiteralMap<T>(): LiteralMap<T> {
  return { byText: new Map(), lengths: [] };
}

function createStep<V>(): PatternStep<V> {
  return { inner: createLiteralMap(), suffixes: createLiteralMap(), search: undefined };
}

function getOrAddLiteral<T>(map: LiteralMap<T>, literal: string, create: () => T): T {
  if (!map.lengths.includes(literal.length)) map.lengths.push(literal.length);
  return getOrAdd(map.byText, literal, create);
}
