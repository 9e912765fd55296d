/** Where something stands in the text: offsets, both -1 when the configuration came as an object. */
export type Span = Readonly<{ start: number; end: number }>;

/** A member of an object, and where its name stands. */
export type JsonMember = Readonly<{ name: string; nameSpan: Span; node: JsonNode }>;

/** A JSON value that knows where it stands; scalars keep the text they were written with. */
export type JsonNode = JsonObject | JsonArray | JsonScalar;

/** A JSON object; members in order, repeats included. Those of a folded one are read anew each time they are asked for. */
export type JsonObject = Readonly<{
  kind: "object";
  members: readonly JsonMember[];
  span: Span;
  /** Names that code gave the value `undefined`. */
  unset?: readonly string[];
  /** Its members come from several texts: one name may stand in each of them. */
  isJoined?: true;
}>;

/** A JSON array. */
export type JsonArray = Readonly<{ kind: "array"; items: readonly JsonNode[]; span: Span }>;

/** A JSON scalar; booleans read as .NET writes them, `True` and `False`. An emptied text held a variable that is empty. */
export type JsonScalar = Readonly<{
  kind: "string" | "number" | "boolean" | "null";
  text: string;
  span: Span;
  isEmptied?: true;
  /** The text was not written as it reads: a variable stands in it. */
  holdsVariable?: true;
}>;

/** The span of what did not come from a text. */
export const nowhere: Span = { start: -1, end: -1 };

/** Nesting that is accepted, as in .NET. */
export const maximumDepth = 64;

/**
 * Objects this deep are folded when they stand in a list: routes, that is. There may be very many, and nodes are many
 * times larger than what is read from them, so each is read when it is complete and then forgotten.
 */
export const foldedDepth = 2;

/** Reads an item of a list at the top level before it is folded. */
export type ItemReader = (item: JsonNode, listName: string, index: number) => void;

/** The node of nothing, in an object that code has made. */
export const nullNode: JsonNode = { kind: "null", text: "null", span: nowhere };

/** A node in which names that code gave the value `undefined` are there with nothing, and not absent. */
export function withUnset(node: JsonNode): JsonNode {
  if (node.kind !== "object" || node.unset === undefined) return node;
  const unset = node.unset.map((name): JsonMember => ({ name, nameSpan: nowhere, node: nullNode }));
  return { ...node, members: [...node.members, ...unset] };
}

const longestQuote = 60;

/** The node of a text, as it was written and as it reads with the values of variables. */
export function textNode(written: string, text: string, span: Span): JsonScalar {
  const node: JsonScalar = { kind: "string", text, span };
  if (text === written) return node;
  return text === "" ? { ...node, isEmptied: true, holdsVariable: true } : { ...node, holdsVariable: true };
}

/** `null`, `""`, `{}` and `[]`: what tools write for a key that is not set. */
export function isEmptyNode(node: JsonNode): boolean {
  if (node.kind === "object") return node.members.length === 0;
  if (node.kind === "array") return node.items.length === 0;
  return node.kind === "null" || (node.kind === "string" && node.text === "");
}

/** The value as a message quotes it. */
export function describeNode(node: JsonNode): string {
  if (node.kind === "object") return node.members.length === 0 ? "{}" : "an object";
  if (node.kind === "array") return node.items.length === 0 ? "[]" : "a list";
  return node.kind === "string" ? quote(node.text) : scalarToJson(node);
}

/** A text as a message quotes it, cut where it would fill the screen. */
export function quote(text: string): string {
  return JSON.stringify(text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text);
}

/** The value as compact JSON text; numbers keep the digits they were written with. */
export function nodeToJson(node: JsonNode): string {
  if (node.kind === "array") return `[${node.items.map(nodeToJson).join(",")}]`;
  if (node.kind !== "object") return scalarToJson(node);
  return `{${node.members.map(({ name, node }) => `${JSON.stringify(name)}:${nodeToJson(node)}`).join(",")}}`;
}

/** The value as frozen plain data, numbers as `parse` reads them; objects have no prototype, so that no key is special. */
export function nodeToValue(node: JsonNode, parse: (json: string) => unknown): unknown {
  if (node.kind === "array") return Object.freeze(node.items.map((item) => nodeToValue(item, parse)));
  if (node.kind !== "object") return node.kind === "string" ? node.text : parse(scalarToJson(node));
  const value: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const member of node.members) value[member.name] = nodeToValue(member.node, parse);
  return Object.freeze(value);
}

/** A scalar as JSON text; numbers keep the digits they were written with. */
export function scalarToJson({ kind, text }: JsonScalar): string {
  return kind === "string" ? JSON.stringify(text) : text.toLowerCase();
}
