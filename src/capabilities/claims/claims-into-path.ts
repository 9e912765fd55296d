import type { MatchedTarget } from "../../forwarding/resolve-path.ts";
import { type Identity, rememberPerIdentity } from "../../identity/identity.ts";
import { encodeAssignedValue } from "../../templates/encode-value.ts";
import { placeholderNames } from "../../templates/template.ts";
import { pathOf } from "../../urls/path-and-query.ts";
import { findPathFault } from "../../urls/path-faults.ts";
import type { ChangeTarget } from "../capability.ts";
import { claimUnfit, type NamedExpression, readForRequest } from "./claim-for-request.ts";

type Captured = MatchedTarget["values"]["captured"];

/**
 * Fills placeholders of the downstream template with claims. A claim is any text, as what middleware sets is, but its
 * percent signs never begin an escape.
 */
export function createClaimsIntoPath(
  expressions: readonly NamedExpression[],
  downstreamTemplate: string,
): ChangeTarget {
  const names = new Set(expressions.map(({ name }) => name));
  const inPath = new Set(placeholderNames(pathOf(downstreamTemplate)));
  const nothing = Object.fromEntries(expressions.map(({ name }) => [name, ""]));
  const filledBy = rememberPerIdentity((identity) =>
    Object.fromEntries(expressions.map((named) => fill(identity, named))),
  );
  return function putClaimsIntoPath(target, { identity }) {
    const filled = identity === undefined ? nothing : filledBy(identity);
    const { captured, current } = target.values;
    return { ...target, values: { captured: withoutFilled(captured), current: { ...current, ...filled } } };
  };

  function fill(identity: Identity, named: NamedExpression): readonly [name: string, text: string] {
    const text = readForRequest(identity, named).replaceAll("%", "%25");
    if (inPath.has(named.name) && isUnfit(text)) throw claimUnfit();
    return [named.name, text];
  }

  /** What the client has sent under such a name is no longer there: the same text as a claim is another one. */
  function withoutFilled(captured: Captured): Captured {
    for (const name in captured) if (names.has(name)) return without(captured, names);
    return captured;
  }
}

function without(captured: Captured, names: ReadonlySet<string>): Captured {
  const kept: Record<string, string> = {};
  for (const name in captured) if (!names.has(name)) kept[name] = captured[name]!;
  return kept;
}

/**
 * What no client may ask for, no claim may lead to; and it is not the client who has written it. Without any text,
 * a path to what belongs to one would lead to what belongs to all.
 */
function isUnfit(text: string): boolean {
  return text === "" || findPathFault(`/${encodeAssignedValue(text, "path")}`) !== undefined;
}
