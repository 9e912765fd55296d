import { parseClaimExpression } from "../../identity/claim-expression.ts";
import { describeNode, isEmptyNode, type JsonNode, type JsonScalar } from "../../json/json-node.ts";
import { placeWithin, type Place } from "../../json/place.ts";
import { inOrder } from "../../schema/written-order.ts";
import { emptyRecord, expectObject } from "./object-of-free-names.ts";
import type { Reading } from "./reading.ts";
import { reportRepeats } from "./report-repeats.ts";

const expression = '"Claims[name] > value" or "Claims[name] > value[n] > delimiter"';

/**
 * Reads expressions that find claims, by the names under which these travel. A text that speaks of no claim does nothing,
 * as in Ocelot; one that does and cannot be read would lose an identity on the way.
 */
export function readClaimExpressions(place: Place, reading: Reading): Readonly<Record<string, string>> | undefined {
  const object = expectObject(place, `an object of names and expressions, such as ${expression}`, reading);
  if (object === undefined) return undefined;
  reportRepeats(place, reading, (name) => name);
  const read: [string, string][] = [];
  for (const { name, node } of object.members) {
    const at = placeWithin(place, name, node);
    if (isEmptyNode(node)) continue;
    if (!isScalar(node)) reading.report("wrong-type", at, `expected ${expression}, found ${describeNode(node)}`);
    else if (!node.text.includes("Claims[")) reportLiteral(at, reading);
    else if (parseClaimExpression(node.text) === undefined) reportUnreadable(at, reading);
    else read.push([name, node.text]);
  }
  return inOrder(read);
}

/** Reads what claims must be, by their names: one text, or several of which one will do. */
export function readClaimValues(
  place: Place,
  reading: Reading,
): Readonly<Record<string, readonly string[]>> | undefined {
  const object = expectObject(place, "an object of names and values of claims", reading);
  if (object === undefined) return undefined;
  reportRepeats(place, reading, (name) => name);
  const read = emptyRecord<readonly string[]>();
  for (const { name, node } of object.members) {
    const at = placeWithin(place, name, node);
    const items = node.kind === "array" ? node.items.map((item, index) => placeWithin(at, index, item)) : [at];
    const wrong = items.filter((item) => !isScalar(item.node) && !isEmptyNode(item.node));
    for (const item of wrong) {
      reading.report("wrong-type", item, `expected a text or a list of texts, found ${describeNode(item.node)}`);
    }
    read[name] = Object.freeze(items.flatMap((item) => (isScalar(item.node) ? [textOf(item.node)] : [])));
  }
  return Object.freeze(read);
}

function reportLiteral(at: Place, reading: Reading): void {
  const found = `${describeNode(at.node)} reads no claim, and so does nothing here, as in Ocelot`;
  const remedy = 'a fixed header is set by "UpstreamHeaderTransform", a fixed text stands in "DownstreamPathTemplate"';
  reading.report("claims-literal", at, `${found}: expected ${expression}; ${remedy}`);
}

function reportUnreadable(at: Place, reading: Reading): void {
  reading.report("claims-invalid", at, `expected ${expression}, found ${describeNode(at.node)}`);
}

function isScalar(node: JsonNode): node is JsonScalar {
  return node.kind !== "object" && node.kind !== "array" && node.kind !== "null";
}

const integer = /^-?\d+$/;

/** As claims are compared: numbers and words as JSON writes them, integers with all their digits. */
function textOf({ kind, text }: JsonScalar): string {
  if (kind === "boolean") return text.toLowerCase();
  return kind === "number" && !integer.test(text) ? JSON.stringify(Number(text)) : text;
}
