/** Where the literals of a set begin in common, and what is found at the end of one. */
type LiteralNode<T> = {
  readonly next: Map<number, LiteralNode<T>>;
  /** The longest other beginning of a literal with which the text up to here may go on. */
  fallback: LiteralNode<T> | undefined;
  value: T | undefined;
  /** The node itself if a literal ends here, else that of the longest literal with which the text up to here ends. */
  ending: LiteralNode<T> | undefined;
};

/** Finds each of many literals in a text at once. */
export type LiteralSearch<T> = (
  text: string,
  from: number,
  to: number,
  visit: (value: T, literalEnd: number) => void,
) => void;

/**
 * Prepares the search for literals by Aho and Corasick: one pass over the text, whatever it is and
 * however many literals there are. Each literal is visited where it stands first.
 */
export function createLiteralSearch<T>(literals: ReadonlyMap<string, T>): LiteralSearch<T> {
  const root = createLiteralNode<T>();
  // A literal without characters stands everywhere: it is left out.
  for (const [literal, value] of literals) if (literal !== "") addLiteral(root, literal, value);
  linkFallbacks(root);

  return function searchLiterals(text, from, to, visit) {
    const visited = new Set<LiteralNode<T>>();
    let node = root;
    for (let position = from; position < to; position += 1) {
      node = follow(node, text.charCodeAt(position), root);
      // The literals with which this one ends were visited together with it: no place is looked at once for each of
      // them.
      for (let { ending } = node; ending !== undefined && !visited.has(ending); ending = ending.fallback?.ending) {
        visited.add(ending);
        visit(ending.value!, position + 1);
      }
    }
  };
}

function createLiteralNode<T>(): LiteralNode<T> {
  return { next: new Map(), fallback: undefined, value: undefined, ending: undefined };
}

function addLiteral<T>(root: LiteralNode<T>, literal: string, value: T): void {
  let node = root;
  for (let index = 0; index < literal.length; index += 1) {
    const unit = literal.charCodeAt(index);
    const next = node.next.get(unit) ?? createLiteralNode<T>();
    node.next.set(unit, next);
    node = next;
  }
  node.value = value;
}

/** The shorter beginnings first: those of longer ones are found by theirs. */
function linkFallbacks<T>(root: LiteralNode<T>): void {
  const nodes = [root];
  for (const node of nodes) {
    node.ending = node.value === undefined ? node.fallback?.ending : node;
    for (const [unit, next] of node.next) {
      next.fallback = node.fallback === undefined ? root : follow(node.fallback, unit, root);
      nodes.push(next);
    }
  }
}

function follow<T>(from: LiteralNode<T>, unit: number, root: LiteralNode<T>): LiteralNode<T> {
  for (let node: LiteralNode<T> | undefined = from; node !== undefined; node = node.fallback) {
    const next = node.next.get(unit);
    if (next !== undefined) return next;
  }
  return root;
}
