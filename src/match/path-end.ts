import type { Candidate, Conditions } from "./candidate.ts";
import { type CandidateList, chooseCandidate, createCandidateList } from "./candidate-list.ts";

/** A place in the tree where templates end, with the candidates that end there. */
export type PathEnd<R> = {
  /** The lowest rank of its candidates. */
  readonly best: number;
  /** In order of rank. */
  readonly candidates: Candidate<R>[];
  /** Made by {@link arrangeByMethod} when all candidates are there. */
  byMethod: ReadonlyMap<string, CandidateList<R>>;
  /** For every method that is not listed, but TRACE and CONNECT. */
  anyMethod: CandidateList<R> | undefined;
};

/** Begins an end of the tree for a candidate of this rank; candidates are then pushed in order of rank. */
export function createPathEnd<R>(best: number): PathEnd<R> {
  return { best, candidates: [], byMethod: new Map(), anyMethod: undefined };
}

/** These two must be asked for by name: one echoes what the gateway adds, the other opens a tunnel. */
const onlyByName: ReadonlySet<string> = new Set(["TRACE", "CONNECT"]);

/** Arranges the candidates of an end by method, once all are there. */
export function arrangeByMethod<R>(end: PathEnd<R>, caseSensitive: boolean): void {
  const named = new Set(end.candidates.flatMap(({ methods }) => methods ?? []));
  end.byMethod = new Map([...named].map((method) => [method, listFor(method)]));
  const unnamed = end.candidates.filter(({ methods }) => methods === undefined);
  if (unnamed.length > 0) end.anyMethod = createCandidateList(unnamed, caseSensitive);

  function listFor(method: string): CandidateList<R> {
    const takesUnnamed = !onlyByName.has(method);
    const fitting = end.candidates.filter(({ methods }) => methods?.includes(method) ?? takesUnnamed);
    return createCandidateList(fitting, caseSensitive);
  }
}

/** The best candidate for a request whose path ends here; undefined when none has a rank below `bound`. */
export function chooseAtEnd<R>(end: PathEnd<R>, conditions: Conditions, bound: number): Candidate<R> | undefined {
  const list = end.byMethod.get(conditions.method) ?? (onlyByName.has(conditions.method) ? undefined : end.anyMethod);
  return list === undefined ? undefined : chooseCandidate(list, conditions, bound);
}
