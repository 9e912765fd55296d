import { type Change, type Direction, readChange } from "../headers/transforms/change.ts";
import { effectiveTransforms } from "../headers/transforms/effective-transforms.ts";
import { bearsSecret } from "../secrets/mask-metadata.ts";
import { secretMask } from "../secrets/secret-names.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";

/** What becomes of headers, in words, by their names. */
type DescribedHeaders = Readonly<Record<string, string>>;

/** What a route does with the headers of requests and of answers. */
export type RouteHeaders = Readonly<{ request: DescribedHeaders; answer: DescribedHeaders }>;

/** What a route does with headers both ways; those that it makes from claims stand among those of requests. */
export function routeHeadersOf(route: RouteConfig, global: GlobalConfig): RouteHeaders {
  const fromClaims = Object.entries(route.AddHeadersToRequest ?? {}).map(
    ([name, expression]) => [name.toLowerCase(), `set to ${expression}`] as const,
  );
  return {
    request: { ...describeTransforms("request", route, global), ...Object.fromEntries(fromClaims) },
    answer: describeTransforms("answer", route, global),
  };
}

/** What header transforms do in one direction. */
export function describeTransforms(direction: Direction, route: RouteConfig, global: GlobalConfig): DescribedHeaders {
  const changes = [...effectiveTransforms(direction, route, global)].filter(
    ([name]) => direction === "answer" || name !== "host",
  );
  return Object.fromEntries(
    changes.map(([name, transform]) => [name, describeChange(readChange(transform, direction))]),
  );
}

function describeChange(change: Change): string {
  const text = shown(change.text);
  if (change.does === "replace") return `${shown(change.find)} becomes ${text === "" ? "nothing" : text}`;
  return text.trim() === "" && change.does === "set" ? "removed" : words[change.does](text);
}

/** Of a header without a telling name the value may still tell that it holds a secret. */
function shown(text: string): string {
  return bearsSecret(text) ? secretMask : text;
}

const words = {
  set: (text: string) => `set to ${text}`,
  append: (text: string) => `${text} added to it`,
  add: (text: string) => `${text}, unless the downstream sends it`,
} as const;
