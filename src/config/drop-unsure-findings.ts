import type { JsonNode, Span } from "../json/json-node.ts";
import type { JsonFault, VariableFinding } from "../json/json-text.ts";
import type { Steps } from "../time-slices.ts";
import { countUpTo } from "./problems/count-up-to.ts";
import type { Finding } from "./problems/problem-list.ts";

/**
 * Where a text is broken, only what is said of a route without a fault in it can be trusted:
 * the rest may be about what the parser made of the pieces.
 */
export function* keepSure(
  findings: readonly Finding[],
  root: JsonNode | undefined,
  faults: readonly JsonFault[],
): Steps<readonly Finding[]> {
  if (faults.length === 0 || root === undefined) return findings;
  const sound = soundRoutes(
    root,
    faults.map(({ span }) => span),
  );
  const starts = sound.map(({ start }) => start);
  const kept: Finding[] = [];
  for (const finding of findings) {
    yield;
    const route = sound[countUpTo(starts, finding.span.start) - 1];
    if (route !== undefined && finding.span.end <= route.end) kept.push(finding);
  }
  return kept;
}

function soundRoutes(root: JsonNode, faults: readonly Span[]): readonly Span[] {
  if (root.kind !== "object") return [];
  const lists = root.members.filter(({ name }) => /^(re)?routes$/i.test(name)).map(({ node }) => node);
  const routes = lists.flatMap((node) => (node.kind === "array" ? node.items.map(({ span }) => span) : []));
  return routes
    .filter((route) => !faults.some((fault) => fault.start <= route.end && route.start <= fault.end))
    .sort((one, other) => one.start - other.start);
}

/** What is said of a text that lacks a variable is said of the variable's name. */
export function withoutUnset(findings: readonly Finding[], variables: readonly VariableFinding[]): readonly Finding[] {
  const unset = new Set(variables.map(({ span }) => span.start));
  return unset.size === 0 ? findings : findings.filter(({ span }) => !unset.has(span.start));
}
