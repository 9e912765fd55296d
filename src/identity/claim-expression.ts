import { claimValues } from "./claim-values.ts";
import type { Identity } from "./identity.ts";

/** What of an identity is meant: a claim, or one part of it. */
export type ClaimExpression = Readonly<{
  claim: string;
  /** Each of the delimiters is one character. */
  part: Readonly<{ index: number; delimiters: string }> | undefined;
}>;

const claimInBrackets = /Claims\[.*\]/s;
const indexInBrackets = /value\[.*\]/s;
const integer = /^\s*[+-]?\d+\s*$/;
const largestIndex = 2 ** 31;

/** Reads `Claims[name] > value` or `Claims[name] > value[n] > delimiter`, as Ocelot does; undefined for anything else. */
export function parseClaimExpression(text: string): ClaimExpression | undefined {
  const [source = "", place, delimiter = ""] = text.split(">");
  const claim = claimInBrackets.test(source) ? betweenBrackets(source) : undefined;
  if (claim === undefined || place === undefined) return undefined;
  if (text.split(">", 3).length < 3 || !indexInBrackets.test(place)) return { claim, part: undefined };
  const index = betweenBrackets(place);
  if (index === undefined || !integer.test(index) || Math.abs(Number(index)) >= largestIndex) return undefined;
  const delimiters = delimiter.trim();
  return { claim, part: delimiters === "" ? undefined : { index: Number(index), delimiters } };
}

/** What stands between the first bracket that opens and the first that closes. */
function betweenBrackets(text: string): string | undefined {
  const [start, end] = [text.indexOf("["), text.indexOf("]")];
  return end < start ? undefined : text.slice(start + 1, end);
}

/** What an expression finds among claims: several values of one are joined by commas; undefined where it is missing. */
export function readClaim(claims: Identity["claims"], { claim, part }: ClaimExpression): string | undefined {
  const values = claimValues(claims, claim);
  if (values.length === 0) return undefined;
  const text = values.join(",");
  return part === undefined ? text : splitAt(text, part.delimiters)[part.index];
}

function splitAt(text: string, delimiters: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (!delimiters.includes(text[at]!)) continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)];
}
