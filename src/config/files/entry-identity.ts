import type { JsonNode } from "../../json/json-node.ts";
import { withoutHeaderPrefix } from "../read/read-header-templates.ts";
import { findMemberNode } from "./find-member-node.ts";
import type { JoinedList } from "./joined-lists.ts";

/** By what an entry of one file is the same as that of another. */
export type EntryIdentity = Readonly<{
  /** Its own name; undefined where it has none, or where names do not count. */
  key: string | undefined;
  /** What must be equal in any case; undefined where it is not written. */
  anchor: string | undefined;
  /** What must be equal where it is written. */
  details: readonly (string | undefined)[];
}>;

type Identify = (node: JsonNode) => EntryIdentity;

const identities: Readonly<Record<string, Identify>> = {
  Routes: (node) => ({
    key: textAt(node, "Key"),
    anchor: textAt(node, "UpstreamPathTemplate"),
    details: [methodsIn(node), textAt(node, "UpstreamHost")?.toLowerCase(), headersIn(node)],
  }),
  DynamicRoutes: (node) => ({
    key: undefined,
    anchor: textAt(node, "ServiceName"),
    details: [textAt(node, "ServiceNamespace")],
  }),
  Aggregates: (node) => ({ key: textAt(node, "Key"), anchor: textAt(node, "UpstreamPathTemplate"), details: [] }),
  SwaggerEndPoints: (node) => ({ key: textAt(node, "Key"), anchor: undefined, details: [] }),
};

/** What identifies an entry of a list. */
export function identityOf({ name }: JoinedList, node: JsonNode): EntryIdentity {
  return identities[name]!(node);
}

function textAt(node: JsonNode, name: string): string | undefined {
  const found = findMemberNode(node, name);
  return found !== undefined && "text" in found ? found.text : undefined;
}

function methodsIn(node: JsonNode): string | undefined {
  const methods = findMemberNode(node, "UpstreamHttpMethod");
  if (methods === undefined || methods.kind === "object") return undefined;
  const words =
    methods.kind === "array" ? methods.items.flatMap((item) => ("text" in item ? [item.text] : [])) : [methods.text];
  return [...new Set(words.map((word) => word.trim().toUpperCase()))].sort().join();
}

function headersIn(node: JsonNode): string | undefined {
  const headers = findMemberNode(node, "UpstreamHeaderTemplates");
  if (headers?.kind !== "object") return undefined;
  const pairs = headers.members.map(({ name, node: value }) => {
    return `${name.toLowerCase()}: ${"text" in value ? withoutHeaderPrefix(value.text) : ""}`;
  });
  return pairs.sort().join("\n");
}
