import type { Template } from "../template.ts";

/**
 * Counts in how many ways the templates mix literals and placeholders: which of their segments hold placeholders. A
 * request may have to be compared with each shape, however few routes there are of it.
 */
export function countShapes(pathTemplates: readonly Template[]): number {
  return new Set(pathTemplates.map(shapeOf)).size;
}

function shapeOf({ parts }: Template): string {
  const withPlaceholder = new Set<number>();
  let segment = 0;
  for (const part of parts) {
    if (typeof part === "string") segment += part.split("/").length - 1;
    else withPlaceholder.add(segment);
  }
  return [...withPlaceholder].join();
}
