import type { Steps } from "../../time-slices.ts";
import { type Candidate, type Conditions, fulfils } from "./candidate.ts";
import { getOrAdd } from "./get-or-add.ts";
import { foldQueryValue, type QueryCondition } from "../query-condition.ts";

/** Candidates for one path and method, so arranged that those for another query are not looked at. */
export type CandidateList<R> = Readonly<{
  /** Without a query template, in order of rank. */
  anyQuery: readonly Candidate<R>[];
  /** Each of the others stands under one parameter it asks for; undefined where there are none. */
  byParameter: ReadonlyMap<string, ParameterGroup<R>> | undefined;
  caseSensitive: boolean;
}>;

type ParameterGroup<R> = Readonly<{ anyValue: Candidate<R>[]; byValue: Map<string, Candidate<R>[]> }>;

/** Arranges candidates of one tree, given in order of rank. */
export function* createCandidateList<R>(
  candidates: readonly Candidate<R>[],
  caseSensitive: boolean,
): Steps<CandidateList<R>> {
  yield;
  const withQuery = candidates.filter(({ query }) => query.length > 0);
  if (withQuery.length === 0) return { anyQuery: candidates, byParameter: undefined, caseSensitive };
  const anyQuery = candidates.filter(({ query }) => query.length === 0);
  return { anyQuery, byParameter: yield* groupByRarestParameter(withQuery), caseSensitive };
}

function* groupByRarestParameter<R>(candidates: readonly Candidate<R>[]): Steps<Map<string, ParameterGroup<R>>> {
  const uses = new Map<string, number>();
  for (const parameter of candidates.flatMap(({ query }) => query)) {
    yield;
    const key = identify(parameter);
    uses.set(key, (uses.get(key) ?? 0) + 1);
  }
  const groups = new Map<string, ParameterGroup<R>>();
  for (const candidate of candidates) {
    yield;
    const { name, literal } = candidate.query.reduce((rarest, parameter) =>
      uses.get(identify(parameter))! < uses.get(identify(rarest))! ? parameter : rarest,
    );
    const group = getOrAdd(groups, name, () => ({ anyValue: [], byValue: new Map<string, Candidate<R>[]>() }));
    const list = literal === undefined ? group.anyValue : getOrAdd(group.byValue, literal, () => []);
    list.push(candidate);
  }
  return groups;
}

function identify({ name, literal }: QueryCondition): string {
  return JSON.stringify([name, literal]);
}

/** The first candidate of a rank below `bound` whose query and headers the request has. */
export function chooseCandidate<R>(
  list: CandidateList<R>,
  conditions: Conditions,
  bound: number,
): Candidate<R> | undefined {
  let chosen = firstFulfilled(list.anyQuery, conditions, bound);
  if (list.byParameter === undefined) return chosen;
  for (const [name, raw] of conditions.parameters()) {
    const group = list.byParameter.get(name);
    if (group === undefined) continue;
    const sameValue = group.byValue.get(foldQueryValue(raw, list.caseSensitive)) ?? [];
    chosen = firstFulfilled(group.anyValue, conditions, chosen?.rank ?? bound) ?? chosen;
    chosen = firstFulfilled(sameValue, conditions, chosen?.rank ?? bound) ?? chosen;
  }
  return chosen;
}

function firstFulfilled<R>(
  candidates: readonly Candidate<R>[],
  conditions: Conditions,
  bound: number,
): Candidate<R> | undefined {
  for (const candidate of candidates) {
    if (candidate.rank >= bound) return undefined;
    if (fulfils(candidate, conditions)) return candidate;
  }
  return undefined;
}
