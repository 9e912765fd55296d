import type { Template } from "../../templates/template.ts";

/** Counts the distinct shapes of the templates that are added. */
export type ShapeCounter = Readonly<{ add: (pathTemplate: Template) => void; count: () => number }>;

/**
 * Counts in how many ways the templates mix literals and placeholders: which of their segments hold placeholders. A
 * request may have to be compared with each shape, however few routes there are of it.
 */
export function createShapeCounter(): ShapeCounter {
  const shapes = new Set<string>();
  return { add: (pathTemplate) => void shapes.add(shapeOf(pathTemplate)), count: () => shapes.size };
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
