import type { Steps } from "../../time-slices.ts";
import type { Candidate } from "./candidate.ts";
import { getOrAdd } from "./get-or-add.ts";
import { arrangeByMethod, createPathEnd, type PathEnd } from "./path-end.ts";
import { isWholePlaceholder, type Segment } from "../path-pattern.ts";
import { createPatternSet, getOrAddPattern, type PatternSet } from "./pattern-set.ts";

/** What follows the same beginning of a path, segment by segment. */
export type TreeNode<R> = {
  /** The lowest rank of all candidates below: a search that has found a better one passes by. */
  readonly best: number;
  /** The next segment is this text. */
  literals: Map<string, TreeNode<R>> | undefined;
  /** The next segment is any text but none. */
  placeholder: TreeNode<R> | undefined;
  /** The next segment mixes literals and placeholders. */
  mixed: PatternSet<TreeNode<R>> | undefined;
  /** Templates end here, without a slash. */
  literalEnd: PathEnd<R> | undefined;
  /** Templates end here with a slash, which a path may omit. */
  slashEnd: PathEnd<R> | undefined;
  /** Templates end with one placeholder, which takes all the rest, also none. */
  restEnd: PathEnd<R> | undefined;
  /** Templates end with a segment that mixes literals and placeholders, the last of which goes past slashes. */
  mixedEnds: PatternSet<PathEnd<R>> | undefined;
};

/** Path templates that all compare with case, or all without, arranged for finding. */
export type PathTree<R> = Readonly<{ root: TreeNode<R>; caseSensitive: boolean }>;

/** Builds a tree of at least one candidate, given in order of rank. */
export function* createPathTree<R>(candidates: readonly Candidate<R>[], caseSensitive: boolean): Steps<PathTree<R>> {
  const root = createNode<R>(candidates[0]!.rank);
  const shared = new Set<PathEnd<R>>();
  for (const candidate of candidates) {
    yield;
    const { segments } = candidate.pattern;
    const parent = segments.reduce((node, segment) => childFor(node, segment, candidate.rank), root);
    const end = endFor(parent, candidate);
    if (end.candidates[0] === candidate) continue;
    end.candidates.push(candidate);
    shared.add(end);
  }
  for (const end of shared) {
    yield;
    yield* arrangeByMethod(end, caseSensitive);
  }
  return { root, caseSensitive };
}

/** Every node has every member, so that the engine sees one kind of object. */
function createNode<R>(best: number): TreeNode<R> {
  return {
    best,
    literals: undefined,
    placeholder: undefined,
    mixed: undefined,
    literalEnd: undefined,
    slashEnd: undefined,
    restEnd: undefined,
    mixedEnds: undefined,
  };
}

function childFor<R>(node: TreeNode<R>, segment: Segment, rank: number): TreeNode<R> {
  const create = (): TreeNode<R> => createNode(rank);
  if (typeof segment === "string") return getOrAdd((node.literals ??= new Map<string, TreeNode<R>>()), segment, create);
  if (isWholePlaceholder(segment)) return (node.placeholder ??= create());
  return getOrAddPattern((node.mixed ??= createPatternSet()), segment, create);
}

/** The end of a candidate, which is made with it where there is none. */
function endFor<R>(node: TreeNode<R>, candidate: Candidate<R>): PathEnd<R> {
  const { pattern } = candidate;
  const create = (): PathEnd<R> => createPathEnd(candidate);
  if (pattern.ending === "literal") return (node.literalEnd ??= create());
  if (pattern.ending === "slash") return (node.slashEnd ??= create());
  if (isWholePlaceholder(pattern.ending)) return (node.restEnd ??= create());
  return getOrAddPattern((node.mixedEnds ??= createPatternSet()), pattern.ending, create);
}
