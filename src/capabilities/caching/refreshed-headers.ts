import { maxHeaderSize } from "node:http";
import type { Headers } from "../../delegating-handler.ts";

type Field = readonly [name: string, value: Headers[string]];

// They describe the body that is kept.
const ofBody = /^content-(?:length|encoding|type|range)$/;

// Node's clients refuse a longer head; the gateway adds fields of its own.
const longestHead = maxHeaderSize - 1_024;

// As many short fields as would fill the head otherwise take too long.
const leastOfField = 16;

/**
 * The headers of a kept answer, with what the service says of it now. A service may say something else each time: of what it
 * said before, the first fields stay for which there is room, and those that tell what the body is and for whom.
 */
export function refreshedHeaders(before: Headers, told: Headers): Headers {
  const kept = Object.entries(before).filter(([name]) => name !== "age");
  const news = Object.entries(told).filter(([name]) => !ofBody.test(name));
  const all = Object.fromEntries([...kept, ...news]);
  const excess = lengthOf(Object.entries(all)) - Math.max(longestHead, lengthOf(kept));
  return excess <= 0 ? all : Object.fromEntries([...shortened(kept, news), ...news]);
}

function shortened(kept: readonly Field[], news: readonly Field[]): Field[] {
  const isTold = new Set(news.map(([name]) => name));
  const earlier = kept.filter(([name]) => !isTold.has(name));
  const isNeeded = ([name]: Field): boolean => ofBody.test(name) || name === "vary";
  let room = longestHead - lengthOf([...news, ...earlier.filter(isNeeded)]);
  return earlier.filter((field) => {
    if (isNeeded(field)) return true;
    const length = lengthOf([field]);
    if (length > room) return false;
    room -= length;
    return true;
  });
}

/** What stands between a name and its value, and behind that, counts, too. */
function lengthOf(fields: readonly Field[]): number {
  const lines = fields.flatMap(([name, value]) => [value].flat().map((line) => name.length + line.length + 4));
  return lines.reduce((sum, length) => sum + Math.max(leastOfField, length), 0);
}
