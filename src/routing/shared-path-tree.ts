import { filterInSteps, type Steps } from "../time-slices.ts";
import { getOrAdd } from "./index/get-or-add.ts";
import type { PathPattern, Segment } from "./path-pattern.ts";
import { mayShareAPath, mayShareASegment } from "./shared-paths.ts";

/** What has a pattern of paths. */
type Patterned = Readonly<{ pattern: PathPattern }>;

/** Finds what may take the same paths, without comparing all with all. */
export type SharedPathTree<Item extends Patterned> = Readonly<{
  add: (item: Item) => void;
  /** Whatever may take one of the paths that a pattern takes. */
  sharing: (pattern: PathPattern) => Steps<readonly Item[]>;
}>;

type Node<Item> = Readonly<{
  literals: Map<string, Node<Item>>;
  patterns: Map<string, Readonly<{ segment: Segment; node: Node<Item> }>>;
  ending: Item[];
}>;

/** A tree of patterns, segment by segment. */
export function createSharedPathTree<Item extends Patterned>(): SharedPathTree<Item> {
  const root = createNode<Item>();
  return { add, sharing };

  function add(item: Item): void {
    let node = root;
    for (const segment of item.pattern.segments) node = nodeBelow(node, segment);
    node.ending.push(item);
  }

  function* sharing(pattern: PathPattern): Steps<readonly Item[]> {
    let nodes: readonly Node<Item>[] = [root];
    const near: Item[] = [...root.ending];
    for (const segment of pattern.segments) {
      nodes = nodes.flatMap((node) => nodesFor(node, segment));
      for (const { ending } of nodes) near.push(...ending);
    }
    if (typeof pattern.ending === "object") for (const node of nodes) gatherBelow(node, near);
    return yield* filterInSteps(near, (item) => mayShareAPath(pattern, item.pattern));
  }
}

function createNode<Item>(): Node<Item> {
  return { literals: new Map(), patterns: new Map(), ending: [] };
}

function nodeBelow<Item>({ literals, patterns }: Node<Item>, segment: Segment): Node<Item> {
  if (typeof segment === "string") return getOrAdd(literals, segment, createNode<Item>);
  return getOrAdd(patterns, segment.literals.join("{}"), () => ({ segment, node: createNode<Item>() })).node;
}

function nodesFor<Item>({ literals, patterns }: Node<Item>, segment: Segment): readonly Node<Item>[] {
  const fitting = [...patterns.values()].filter((branch) => mayShareASegment(segment, branch.segment));
  const below = fitting.map(({ node }) => node);
  if (typeof segment !== "string") {
    return [...[...literals].filter(([text]) => mayShareASegment(segment, text)).map(([, node]) => node), ...below];
  }
  const same = literals.get(segment);
  return same === undefined ? below : [same, ...below];
}

function gatherBelow<Item>({ literals, patterns }: Node<Item>, found: Item[]): void {
  for (const node of [...literals.values(), ...[...patterns.values()].map((branch) => branch.node)]) {
    found.push(...node.ending);
    gatherBelow(node, found);
  }
}
