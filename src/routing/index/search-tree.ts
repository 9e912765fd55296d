import type { Candidate, Conditions } from "./candidate.ts";
import type { ComparedText } from "../compared-text.ts";
import { endsWithTemplate } from "../path-ending.ts";
import { chooseAtEnd, type PathEnd } from "./path-end.ts";
import { firstSegment, type PathSegment, segmentAfter } from "./path-segment.ts";
import type { PathTree, TreeNode } from "./path-tree.ts";
import { type PatternSet, visitMatches } from "./pattern-set.ts";

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

/** Begins a search for the route of a request. */
export function createSearch<R>(conditions: Conditions): Search<R> {
  return { conditions, candidate: undefined, path: { text: "", offsets: undefined }, bound: Infinity, steps: 0 };
}

/** Looks in a tree for candidates that match a path and are better than what was found before. */
export function searchTree<R>(tree: PathTree<R>, path: ComparedText, search: Search<R>): void {
  visitNode(tree.root, firstSegment(path.text), path, search);
}

function visitNode<R>(
  node: TreeNode<R>,
  segment: PathSegment | undefined,
  path: ComparedText,
  search: Search<R>,
): void {
  if (node.best >= search.bound) return;
  search.steps += 1;
  visitEnds(node, segment, path, search);
  if (segment === undefined) return;
  if (node.mixed !== undefined) visitMixed(node.mixed, segment, path, search);

  const literal = node.literals?.get(segment.text);
  const placeholder = segment.text === "" ? undefined : node.placeholder;
  if (literal === undefined && placeholder === undefined) return;
  const next = segmentAfter(segment, path.text);
  // The branch with the better candidate first: the other one is then often passed by.
  const placeholderFirst = placeholder !== undefined && placeholder.best < (literal?.best ?? Infinity);
  if (placeholderFirst) visitNode(placeholder, next, path, search);
  if (literal !== undefined) visitNode(literal, next, path, search);
  if (placeholder !== undefined && !placeholderFirst) visitNode(placeholder, next, path, search);
}

/** Looks at the templates that end here, or take all the rest. */
function visitEnds<R>(
  node: TreeNode<R>,
  segment: PathSegment | undefined,
  path: ComparedText,
  search: Search<R>,
): void {
  const start = segment?.start ?? Infinity;
  const { restEnd, literalEnd, slashEnd } = node;
  if (restEnd !== undefined && endsWithTemplate("rest", path.text, start)) visitEnd(restEnd, path, search);
  if (literalEnd !== undefined && endsWithTemplate("literal", path.text, start)) visitEnd(literalEnd, path, search);
  if (slashEnd !== undefined && endsWithTemplate("slash", path.text, start)) visitEnd(slashEnd, path, search);
  if (node.mixedEnds !== undefined && segment !== undefined) visitMixedEnds(node.mixedEnds, segment, path, search);
}

function visitEnd<R>(end: PathEnd<R>, path: ComparedText, search: Search<R>): void {
  if (end.best >= search.bound) return;
  search.steps += 1;
  const candidate = chooseAtEnd(end, search.conditions, search.bound);
  if (candidate === undefined) return;
  search.candidate = candidate;
  search.path = path;
  search.bound = candidate.rank;
}

function visitMixedEnds<R>(
  ends: PatternSet<PathEnd<R>>,
  { start, end: reach }: PathSegment,
  path: ComparedText,
  search: Search<R>,
): void {
  const stretch = { start, end: path.text.length, reach, least: 0 } as const;
  visitMatches(ends, path.text, stretch, (end) => visitEnd(end, path, search));
}

function visitMixed<R>(
  nodes: PatternSet<TreeNode<R>>,
  segment: PathSegment,
  path: ComparedText,
  search: Search<R>,
): void {
  const { start, end } = segment;
  const next = segmentAfter(segment, path.text);
  const stretch = { start, end, reach: end, least: 1 } as const;
  visitMatches(nodes, path.text, stretch, (node) => visitNode(node, next, path, search));
}
