import type { TemplatePart } from "../templates/template.ts";
import { alignTemplate } from "./align-template.ts";
import type { Span } from "./spans.ts";

/** A template, the placeholders in it that claims fill, and the texts of the others. */
type ClaimedTemplate = Readonly<{
  parts: readonly TemplatePart[];
  claims: readonly string[];
  valueOf: (name: string) => string;
}>;

/**
 * Where claims stand in a path that was made from a template. Their values are not known here, but each is within one
 * segment, of which all is taken. Undefined where it is another path: then a claim may stand anywhere.
 */
export function findClaims(path: string, { parts, claims, valueOf }: ClaimedTemplate): Span[] | undefined {
  const filled = {
    parts: withoutRests(parts, claims),
    valueOf: (name: string) => (claims.includes(name) ? undefined : valueOf(name)),
  };
  const placed = alignTemplate(filled, path);
  return placed?.filter(({ name }) => claims.includes(name)).map(({ span }) => span);
}

/** What stands behind a claim in its segment is taken with it. */
function withoutRests(parts: readonly TemplatePart[], claims: readonly string[]): readonly TemplatePart[] {
  let isBehindClaim = false;
  return parts.flatMap((part) => {
    const rest = isBehindClaim ? fromSlash(part) : part;
    isBehindClaim = rest === undefined || (typeof part !== "string" && claims.includes(part.placeholder));
    return rest === undefined ? [] : [rest];
  });
}

function fromSlash(part: TemplatePart): string | undefined {
  if (typeof part !== "string" || !part.includes("/")) return undefined;
  return part.slice(part.indexOf("/"));
}
