import type { PlainBytes } from "./plain-bytes.ts";

/** From how many bytes on a run counts wherever it stands; of shorter ones it matters what stands beside them. */
export const shortestAnywhere = 8;

/**
 * Many runs of bytes, prepared so that one pass over a text finds them all (the automaton of Aho and Corasick). Each byte
 * of a text is looked at twice at most, however many runs there are and whatever they hold: runs and a text that a client
 * made for each other cost no more than others.
 */
export type Needles = Readonly<{ find: (text: PlainBytes, found: (start: number, last: number) => void) => void }>;

/**
 * A tree of all beginnings of runs. Each node is one of them, and has the number of its first field; 0 is the empty one,
 * or none. One array holds all fields of all nodes, as most trees are small and live for one line of a log.
 */
type Tree = Int32Array;

// The byte that a node has more than its parent; the first child, and the next child of the same parent.
const [byteOf, firstChild, nextSibling] = [0, 1, 2];
// The longest node, other than itself, with which a node ends.
const ending = 3;
// How long the longest long run is with which a node ends: the others stand within it.
const longest = 4;
// With which short runs a node ends: bit 3 says that one of three bytes does.
const shortOnes = 5;
// The next node, level by level.
const nextInLevels = 6;
const fields = 8;
// The empty one has the most children: they are found by their bytes, behind its own fields.
const childrenOfEmpty = fields;
const firstNode = childrenOfEmpty + 256;

/** Prepares runs of bytes. */
export function createNeedles(runs: readonly PlainBytes[]): Needles {
  const tree = plantTree(runs);
  return {
    find({ bytes, length }, found) {
      let node = 0;
      for (let at = 0; at < length; at += 1) {
        node = step(tree, node, bytes[at]!);
        const long = tree[node + longest]!;
        if (long > 0) found(at + 1 - long, at);
        const short = tree[node + shortOnes]!;
        for (let size = 1; short >> size > 0; size += 1) if (((short >> size) & 1) === 1) found(at + 1 - size, at);
      }
    },
  };
}

function plantTree(runs: readonly PlainBytes[]): Tree {
  const mostNodes = runs.reduce((sum, { length }) => sum + length, 0);
  const tree = new Int32Array(firstNode + mostNodes * fields);
  let free = firstNode;
  for (const { bytes, length } of runs) {
    let node = 0;
    for (let at = 0; at < length; at += 1) {
      let child = childOf(tree, node, bytes[at]!);
      if (child === 0) {
        child = free;
        free += fields;
        plant(tree, child, { parent: node, byte: bytes[at]! });
      }
      node = child;
    }
    if (length >= shortestAnywhere) tree[node + longest] = length;
    else tree[node + shortOnes]! |= 1 << length;
  }
  linkEndings(tree);
  return tree;
}

function plant(tree: Tree, node: number, { parent, byte }: Readonly<{ parent: number; byte: number }>): void {
  tree[node + byteOf] = byte;
  tree[node + nextSibling] = tree[parent + firstChild]!;
  tree[parent + firstChild] = node;
  if (parent === 0) tree[childrenOfEmpty + byte] = node;
}

/** Level by level, as the ending of a node is shorter than the node. */
function linkEndings(tree: Tree): void {
  let parent = 0;
  let last = 0;
  do {
    for (let node = tree[parent + firstChild]!; node !== 0; node = tree[node + nextSibling]!) {
      const end = parent === 0 ? 0 : step(tree, tree[parent + ending]!, tree[node + byteOf]!);
      tree[node + ending] = end;
      if (tree[node + longest] === 0) tree[node + longest] = tree[end + longest]!;
      tree[node + shortOnes]! |= tree[end + shortOnes]!;
      tree[last + nextInLevels] = node;
      last = node;
    }
    parent = tree[parent + nextInLevels]!;
  } while (parent !== 0);
}

/** The longest node with which a text ends that ended with a node before its next byte. */
function step(tree: Tree, before: number, byte: number): number {
  let node = before;
  for (;;) {
    const child = childOf(tree, node, byte);
    if (child !== 0 || node === 0) return child;
    node = tree[node + ending]!;
  }
}

function childOf(tree: Tree, parent: number, byte: number): number {
  if (parent === 0) return tree[childrenOfEmpty + byte]!;
  let child = tree[parent + firstChild]!;
  while (child !== 0 && tree[child + byteOf] !== byte) child = tree[child + nextSibling]!;
  return child;
}
