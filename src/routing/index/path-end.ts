import type { Steps } from "../../time-slices.ts";
import { type CandidateList, chooseCandidate, createCandidateList } from "./candidate-list.ts";
import { onlyByName, takesMethod } from "../method-condition.ts";
import { type Candidate, type Conditions, fulfils } from "./candidate.ts";

/** A place in the tree where templates end, with the candidates that end there. */
export type PathEnd<R> = {
  /** The lowest rank of its candidates. */
  readonly best: number;
  /** In order of rank. */
  candidates: Candidate<R>[];
  /** Made by {@link arrangeByMethod}; undefined where there is one candidate only, as at most ends. */
  byMethod: MethodTable<R> | undefined;
};

type MethodTable<R> = Readonly<{ named: ReadonlyMap<string, CandidateList<R>>; unnamed: CandidateList<R> }>;

/** Begins an end of the tree with a candidate; others are then pushed in order of rank. */
export function createPathEnd<R>(first: Candidate<R>): PathEnd<R> {
  return { best: first.rank, candidates: [first], byMethod: undefined };
}

/** Arranges the candidates of an end by method, once all are there; one alone needs no arrangement. */
export function* arrangeByMethod<R>(end: PathEnd<R>, caseSensitive: boolean): Steps<void> {
  // A copy, because an array that grew keeps room for more.
  end.candidates = end.candidates.slice();
  const names = new Set([...onlyByName, ...end.candidates.flatMap(({ methods }) => methods ?? [])]);
  const named = new Map<string, CandidateList<R>>();
  for (const method of names) named.set(method, yield* listOf((candidate) => takesMethod(candidate.methods, method)));
  end.byMethod = { named, unnamed: yield* listOf(({ methods }) => methods === undefined) };

  function listOf(belongs: (candidate: Candidate<R>) => boolean): Steps<CandidateList<R>> {
    return createCandidateList(end.candidates.filter(belongs), caseSensitive);
  }
}

/** The best candidate for a request whose path ends here; undefined when none has a rank below `bound`. */
export function chooseAtEnd<R>(end: PathEnd<R>, conditions: Conditions, bound: number): Candidate<R> | undefined {
  const { candidates, byMethod, best } = end;
  if (byMethod !== undefined) {
    return chooseCandidate(byMethod.named.get(conditions.method) ?? byMethod.unnamed, conditions, bound);
  }
  const only = candidates[0]!;
  return best < bound && takesMethod(only.methods, conditions.method) && fulfils(only, conditions) ? only : undefined;
}
