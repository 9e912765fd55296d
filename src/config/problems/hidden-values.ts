import type { JsonNode } from "../../json/json-node.ts";
import type { Place } from "../../json/place.ts";
import { meantBy, tokensOf } from "../../json/source-tokens.ts";
import { runAtOnce } from "../../time-slices.ts";
import { maskTokens } from "./mask-source.ts";
import { mayBeUrlWithSecret } from "./mask-url.ts";
import { secretNamed } from "./secret-by-place.ts";

/**
 * The values at a place that its line of the source would not show, by the same rules. They are what the place reads, with
 * the values of variables, also where the configuration came as an object and has no lines.
 */
export function hiddenAt(place: Place): readonly string[] {
  return isWholeFile(place) ? [] : hiddenUnder(keysTo(place), place.node);
}

/** The same for a value of which it is known what leads to it. */
export function hiddenUnder(keys: readonly (string | number)[], node: JsonNode): readonly string[] {
  if (!(keys.some(tellsSecret) || mayHide(node))) return [];
  const before = keys.map((key) => (typeof key === "number" ? "[" : `{${JSON.stringify(key)}:`)).join("");
  return hiddenFrom(before.length, before + nodeToText(node));
}

/** A problem of all routes together quotes none of their values; to go through all of them takes long. */
function isWholeFile({ node, parent }: Place): boolean {
  return parent === undefined || (parent.parent === undefined && node.kind === "array");
}

function keysTo(place: Place): readonly (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at = place; at.parent !== undefined; at = at.parent) keys.push(at.key);
  return keys.reverse();
}

function tellsSecret(key: string | number): boolean {
  return typeof key === "string" && secretNamed(key) !== undefined;
}

function mayHide(node: JsonNode): boolean {
  if (node.kind === "array") return node.items.some(mayHide);
  if (node.kind === "object") return node.members.some((member) => tellsSecret(member.name) || mayHide(member.node));
  return mayBeUrlWithSecret.test(node.text);
}

/** JSON, but for numbers that nobody could write in it. */
function nodeToText(node: JsonNode): string {
  if (node.kind === "array") return `[${node.items.map(nodeToText).join(",")}]`;
  if (node.kind !== "object") return JSON.stringify(node.text);
  return `{${node.members.map((member) => `${JSON.stringify(member.name)}:${nodeToText(member.node)}`).join(",")}}`;
}

function hiddenFrom(start: number, text: string): readonly string[] {
  const masked = runAtOnce(maskTokens(text));
  const hidden: string[] = [];
  for (const { token, index } of tokensOf(text)) {
    if (index >= start && !masked.startsWith(token, index))
      hidden.push(...hiddenWithin(token, masked.slice(index, index + token.length)));
  }
  return hidden;
}

const masks = /\*+/g;

// Shorter ones are masked only behind the name of their parameter.
const shortestParameter = 3;

/** Of a template only some parameters are hidden. */
function hiddenWithin(token: string, shown: string): readonly string[] {
  if (/^"\**"$/.test(shown)) return [meantBy(token)];
  const found = [...shown.matchAll(masks)].map(({ 0: mask, index }) => token.slice(index, index + mask.length));
  return found.filter((value) => value.length >= shortestParameter);
}
