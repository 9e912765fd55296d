import { headersOf } from "../rules/repeated-routes.ts";
import { priorityOfRoute } from "../rules/routes-in-order.ts";
import type { RouteEntry } from "../rules/rule.ts";
import { sampleOf, type PathShape, type Segment, shapeOf, takesRest, takesSegment } from "./path-shape.ts";

/** A route as it is found by the paths it takes. */
export type PathTaker = Readonly<{ route: RouteEntry; shape: PathShape; priority: number; order: number }>;

/** Finds out which route takes a path, among those that ask for nothing but method and path. */
export type PathFinder = Readonly<{
  add(taker: PathTaker): void;
  /** The routes that take a path, in the order of matching; none where finding all would take long. */
  takersOf(path: readonly string[]): readonly PathTaker[];
  /** Paths that a shape has in common with less particular ones; not all, but the search never takes long. */
  commonPaths(shape: PathShape): Generator<readonly string[]>;
}>;

type Branch = Readonly<{ segment: Segment; node: Node }>;
type Node = Readonly<{
  branches: Map<string, Branch>;
  particular: Branch[];
  ends: PathTaker[];
  open: PathTaker[];
  tails: PathTaker[];
}>;
type Search = { shape: PathShape; stepsLeft: number; patternsLeft: number };
type Gathering = { path: readonly string[]; found: PathTaker[]; stepsLeft: number; patternsLeft: number };
type Position = Readonly<{ node: Node; path: readonly string[]; isApart: boolean }>;

const mostSteps = 200;
const mostPatterns = 2_000;

/** The route as a path finder takes it. */
export function pathTakerOf(route: RouteEntry, order: number): PathTaker {
  return { route, shape: shapeOf(route.config.UpstreamPathTemplate!), priority: priorityOfRoute(route), order };
}

/** Whether a route takes a method. */
export function takesMethod({ route }: PathTaker, method: string): boolean {
  return route.config.UpstreamHttpMethod?.includes(method) ?? true;
}

/** Whether a route asks for nothing but method, host and path. */
export function isFoundByPath({ config }: RouteEntry): boolean {
  return headersOf(config) === "" && /^[^?]*(\?\{\w+\})?$/.test(config.UpstreamPathTemplate ?? "?");
}

/** A finder without routes; they are added in the order of matching. */
export function createPathFinder(): PathFinder {
  const root = createNode();

  return {
    add(taker) {
      let node = root;
      for (const segment of taker.shape.segments) {
        if (taker.shape.tail !== undefined && segment === taker.shape.segments.at(-1)) node.tails.push(taker);
        node = nodeBelow(node, segment);
      }
      (taker.shape.isOpen ? node.open : node.ends).push(taker);
    },
    takersOf(path) {
      const found: PathTaker[] = [];
      if (!gather(root, { path, found, stepsLeft: mostSteps, patternsLeft: mostPatterns })) return [];
      return found.filter((taker) => takesCase(taker, path)).sort((one, other) => one.order - other.order);
    },
    commonPaths: (shape) =>
      search({ node: root, path: [], isApart: false }, { shape, stepsLeft: mostSteps, patternsLeft: mostPatterns }),
  };
}

function createNode(): Node {
  return { branches: new Map(), particular: [], ends: [], open: [], tails: [] };
}

function nodeBelow({ branches, particular }: Node, segment: Segment): Node {
  const known = branches.get(segment.key);
  if (known !== undefined) return known.node;
  const branch = { segment, node: createNode() };
  branches.set(segment.key, branch);
  if (segment.kind === "mixed") particular.push(branch);
  return branch.node;
}

/** Gathers the routes that take a path; false where the search grew too long. */
function gather(node: Node, search: Gathering, depth = 0): boolean {
  if ((search.stepsLeft -= 1) < 0) return false;
  const { path, found } = search;
  const [ends, particular] = depth < path.length ? [[], node.particular] : [node.ends, []];
  search.patternsLeft -= node.open.length + node.tails.length + ends.length + particular.length;
  if (search.patternsLeft < 0) return false;
  found.push(...node.open, ...ends);
  if (node.tails.length > 0) {
    const rest = path.slice(depth).join("/");
    found.push(...node.tails.filter(({ shape }) => takesRest(shape.tail!, rest)));
  }
  if (depth === path.length) return true;
  return branchesFor(node, path[depth]!).every((branch) => gather(branch.node, search, depth + 1));
}

/** The branches that may take a text. */
function branchesFor({ branches, particular }: Node, text: string): readonly Branch[] {
  const plain = [branches.get(text.toLowerCase()), branches.get("{}")].filter((branch) => branch !== undefined);
  return particular.length === 0
    ? plain
    : [...plain, ...particular.filter(({ segment }) => takesSegment(segment, text, false))];
}

function takesCase({ route, shape }: PathTaker, path: readonly string[]): boolean {
  if (route.config.RouteIsCaseSensitive !== true) return true;
  return shape.segments.every((segment, index) => takesSegment(segment, path[index]!, true));
}

/**
 * Walks along all templates that have a path in common with the shape. Until they are apart, they are equal segment by
 * segment; a template that is the first to be more particular is of no interest.
 */
function* search(position: Position, open: Search): Generator<readonly string[]> {
  if ((open.stepsLeft -= 1) < 0) return;
  const { node, path, isApart } = position;
  const { segments, isOpen } = open.shape;
  const rest = segments.slice(path.length);
  const isSame = rest.length === 0 && isOpen && !isApart;
  if (node.open.length > 0 && !isSame) yield [...path, ...rest.map(sampleOf)];
  if (node.ends.length > 0 && isApart && rest.length === 0) yield path;
  for (const next of nextPositions(position, rest[0], open)) yield* search(next, open);
}

function* nextPositions(
  { node, path, isApart }: Position,
  own: Segment | undefined,
  open: Search,
): Generator<Position> {
  if (own === undefined && (!open.shape.isOpen || !isApart)) return;
  if (own?.kind === "literal") {
    if ((open.patternsLeft -= node.particular.length) < 0) return;
    for (const branch of branchesFor(node, own.text)) {
      yield { node: branch.node, path: [...path, own.text], isApart: isApart || branch.segment.kind !== "literal" };
    }
    return;
  }
  const same = own && node.branches.get(own.key);
  if (same !== undefined) yield { node: same.node, path: [...path, sampleOf(own!)], isApart };
  for (const { segment, node: below } of node.branches.values()) {
    if ((open.stepsLeft -= 1) < 0) return;
    if (segment === same?.segment) continue;
    const isLessParticular = own?.kind === "mixed" && segment.kind === "any";
    const text = sampleOf(isLessParticular ? own : segment);
    if (!isApart && !isLessParticular) continue;
    if (own !== undefined && !takesSegment(own, text, false)) continue;
    yield { node: below, path: [...path, text], isApart: true };
  }
}
