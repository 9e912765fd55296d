/** Freezes a tree of plain objects and arrays all through. */
export function freezeTree(tree: unknown): unknown {
  if (typeof tree !== "object" || tree === null) return tree;
  for (const branch of branchesOf(tree)) if (typeof branch === "object") freezeTree(branch);
  return Object.freeze(tree);
}

/** The members of an object, or the items of an array. */
export function branchesOf(tree: object): readonly unknown[] {
  return Array.isArray(tree) ? tree : Object.values(tree);
}
