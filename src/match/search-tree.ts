import type { Candidate, Conditions } from "./candidate.ts";
import type { ComparedText } from "./compared-text.ts";
import { chooseAtEnd, type PathEnd } from "./path-end.ts";
import type { PathTree, TreeNode } from "./path-tree.ts";
import { visitMatches } from "./pattern-set.ts";

/** A search under way, in one tree after the other. */
export type Search<R> = {
  readonly conditions: Conditions;
  /** The best candidate so far. */
  candidate: Candidate<R> | undefined;
  /** The path in the form in which that candidate was compared with it. */
  path: ComparedText;
  /** The rank to beat: that of the best candidate so far. */
  bound: number;
  /** How many places were looked at. */
  steps: number;
};

/** A path cut at its slashes, as far as a tree is deep. */
type CutPath = Readonly<{ compared: ComparedText; segments: readonly string[]; starts: readonly number[] }>;

/** Begins a search for the route of a request. */
export function createSearch<R>(conditions: Conditions): Search<R> {
  return { conditions, candidate: undefined, path: { text: "", offsets: undefined }, bound: Infinity, steps: 0 };
}

/** Looks in a tree for candidates that match a path and are better than what was found before. */
export function searchTree<R>(tree: PathTree<R>, path: ComparedText, search: Search<R>): void {
  // Two more segments than the tree is deep: enough to see that the path goes on.
  visitNode(tree.root, 0, cutPath(path, tree.depth + 2), search);
}

function cutPath(compared: ComparedText, limit: number): CutPath {
  const { text } = compared;
  const segments: string[] = [];
  const starts: number[] = [];
  let start = 1;
  while (start !== 0 && segments.length < limit) {
    const slash = text.indexOf("/", start);
    segments.push(slash === -1 ? text.slice(start) : text.slice(start, slash));
    starts.push(start);
    start = slash + 1;
  }
  return { compared, segments, starts };
}

function visitNode<R>(node: TreeNode<R>, depth: number, path: CutPath, search: Search<R>): void {
  if (node.best >= search.bound) return;
  search.steps += 1;
  const segment = path.segments[depth];
  const isOver = segment === undefined;
  if (node.restEnd !== undefined) visitEnd(node.restEnd, path, search);
  if (node.literalEnd !== undefined && isOver) visitEnd(node.literalEnd, path, search);
  if (node.slashEnd !== undefined && (isOver || isLastSlash(segment, depth, path)))
    visitEnd(node.slashEnd, path, search);
  if (isOver) return;
  if (node.mixedEnds !== undefined || node.mixed !== undefined) visitMixed(node, depth, path, search);

  const literal = node.literals?.get(segment);
  const placeholder = segment === "" ? undefined : node.placeholder;
  // The branch with the better candidate first: the other one is then often passed by.
  const placeholderFirst = placeholder !== undefined && placeholder.best < (literal?.best ?? Infinity);
  if (placeholderFirst) visitNode(placeholder, depth + 1, path, search);
  if (literal !== undefined) visitNode(literal, depth + 1, path, search);
  if (placeholder !== undefined && !placeholderFirst) visitNode(placeholder, depth + 1, path, search);
}

function isLastSlash(segment: string, depth: number, { segments }: CutPath): boolean {
  return segment === "" && depth === segments.length - 1;
}

function visitEnd<R>(end: PathEnd<R>, path: CutPath, search: Search<R>): void {
  if (end.best >= search.bound) return;
  search.steps += 1;
  const candidate = chooseAtEnd(end, search.conditions, search.bound);
  if (candidate === undefined) return;
  search.candidate = candidate;
  search.path = path.compared;
  search.bound = candidate.rank;
}

function visitMixed<R>(node: TreeNode<R>, depth: number, path: CutPath, search: Search<R>): void {
  const { segments, starts } = path;
  const { text } = path.compared;
  const start = starts[depth]!;
  const reach = start + segments[depth]!.length;
  if (node.mixedEnds !== undefined) {
    const rest = { start, end: text.length, reach, least: 0 } as const;
    visitMatches(node.mixedEnds, text, rest, (end) => visitEnd(end, path, search));
  }
  if (node.mixed !== undefined) {
    const segment = { start, end: reach, reach, least: 1 } as const;
    visitMatches(node.mixed, text, segment, (next) => visitNode(next, depth + 1, path, search));
  }
}
