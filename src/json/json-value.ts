import type { Substitute, VariableFault } from "./variable-fault.ts";
import {
  foldedDepth,
  maximumDepth,
  nowhere,
  nullNode,
  textNode,
  type ItemReader,
  type JsonMember,
  type JsonNode,
} from "./json-node.ts";
import { writtenPath } from "./written-path.ts";
import { keepLast } from "./keep-last.ts";

/** A value that JSON has no place for. */
type ValueFault = Readonly<{
  code: "json-value" | "json-depth" | VariableFault["code"];
  path: string;
  message: string;
  /** Of a text that its message may quote: where it stands, and as it is written. */
  quotes?: Readonly<{ keys: readonly (string | number)[]; text: string }>;
}>;

/** What was read of an object, and what could not be read. */
type ValueReading = Readonly<{ root: JsonNode; faults: readonly ValueFault[] }>;

type Reader = Readonly<{
  faults: ValueFault[];
  keys: (string | number)[];
  ancestors: Set<object>;
  readItem: ItemReader;
  substitute: Substitute | undefined;
  /** Reads the members of an item once more. */
  unfold: (value: Readonly<Record<string, unknown>>) => readonly JsonMember[];
}>;

/** Reads a configuration that is an object already into the same nodes as a text; `undefined` members are absent, but for `unset`. */
export function readJsonValue(value: unknown, readItem: ItemReader, substitute?: Substitute): ValueReading {
  const unfold = keepLast((item: Readonly<Record<string, unknown>>) => {
    const keys = ["", 0, ""];
    return readMembers(item, { ...reader, keys, faults: [], ancestors: new Set() });
  });
  const reader: Reader = { faults: [], keys: [], ancestors: new Set(), readItem, substitute, unfold };
  return { root: readValue(value, reader), faults: reader.faults };
}

function readValue(value: unknown, reader: Reader): JsonNode {
  if (value === null || value === undefined) return nullNode;
  if (typeof value === "string") return textNode(value, readText(value, reader), nowhere);
  if (typeof value === "boolean") return { kind: "boolean", text: value ? "True" : "False", span: nowhere };
  if (isNumber(value)) return { kind: "number", text: String(value), span: nowhere };
  if (typeof value !== "object") return refuse(reader, "json-value", notJson(value));
  if (reader.ancestors.has(value)) {
    return refuse(reader, "json-value", "expected a JSON value, found an object that holds itself");
  }
  if (reader.ancestors.size >= maximumDepth) {
    return refuse(reader, "json-depth", `nested deeper than ${maximumDepth} levels`);
  }
  reader.ancestors.add(value);
  const node = readContainer(value, reader);
  reader.ancestors.delete(value);
  return node;
}

function readText(text: string, { faults, keys, substitute }: Reader): string {
  if (substitute === undefined) return text;
  return substitute(text, (fault) =>
    faults.push({ ...fault, path: writtenPath(keys), quotes: { keys: [...keys], text } }),
  );
}

function readContainer(value: object, reader: Reader): JsonNode {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) => readWithin(index, item, reader));
    return { kind: "array", items, span: nowhere };
  }
  if (!isRecord(value)) return refuse(reader, "json-value", notJson(value));
  const unset = Object.keys(value).filter((name) => value[name] === undefined);
  const members = readMembers(value, reader);
  const node: JsonNode = { kind: "object", members, span: nowhere, ...(unset.length > 0 && { unset }) };
  const [listName, index] = reader.keys;
  if (reader.keys.length !== foldedDepth || typeof listName !== "string" || typeof index !== "number") return node;
  reader.readItem(node, listName, index);
  return {
    kind: "object",
    get members() {
      return reader.unfold(value);
    },
    span: nowhere,
  };
}

function readMembers(value: Readonly<Record<string, unknown>>, reader: Reader): readonly JsonMember[] {
  const members: JsonMember[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) members.push({ name, nameSpan: nowhere, node: readWithin(name, member, reader) });
  }
  return members;
}

function readWithin(key: string | number, value: unknown, reader: Reader): JsonNode {
  reader.keys.push(key);
  const node = readValue(value, reader);
  reader.keys.pop();
  return node;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "bigint" || Number.isFinite(value);
}

function isRecord(value: object): value is Record<string, unknown> {
  return Object.prototype.toString.call(value) === "[object Object]";
}

function refuse(reader: Reader, code: ValueFault["code"], message: string): JsonNode {
  reader.faults.push({ code, path: writtenPath(reader.keys), message });
  return nullNode;
}

function notJson(value: unknown): string {
  const found =
    typeof value === "object" ? `a ${Object.prototype.toString.call(value).slice(8, -1)}` : `a ${typeof value}`;
  return `expected a JSON value, found ${typeof value === "number" ? String(value) : found}`;
}
