import type { Template } from "../../templates/template.ts";

/** Counts the distinct shapes of the templates that are added. */
type ShapeCounter = Readonly<{ add: (pathTemplate: Template) => void; count: () => number }>;

/**
 * Counts in how many ways the templates mix literals and placeholders: which of their segments hold placeholders. A
 * request may have to be compared with each shape, however few routes there are of it.
 */
export function createShapeCounter(): ShapeCounter {
  const shapes = new Set<string>();
  return { add: (pathTemplate) => void shapes.add(shapeOf(pathTemplate)), count: () => shapes.size };
}

function shapeOf({ parts }: Template): string {
  const withPlaceholder: number[] = [];
  let segment = 0;
  for (const part of parts) {
    if (typeof part === "string") segment += countSlashes(part);
    else if (withPlaceholder.at(-1) !== segment) withPlaceholder.push(segment);
  }
  return withPlaceholder.join();
}

function countSlashes(text: string): number {
  let count = 0;
  for (let at = text.indexOf("/"); at !== -1; at = text.indexOf("/", at + 1)) count += 1;
  return count;
}
