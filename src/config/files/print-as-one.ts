import { type JsonMember, type JsonNode, nowhere, scalarToJson } from "../../json/json-node.ts";
import { runAtOnce } from "../../time-slices.ts";
import { refuse } from "../refuse-or-warn.ts";
import { type Finding, isError } from "../problems/problem-list.ts";
import { joinFiles } from "./join-files.ts";
import { treeOf } from "./join-parts.ts";
import { openFiles } from "./open-files.ts";
import type { LoadOptions } from "./read-sources.ts";
import type { Sources } from "./sources.ts";
import { viewFiles } from "./view-files.ts";

/**
 * One JSON text for several files; variables stand in it as they are written. Throws a `ConfigError` where the files do
 * not fit together; whether the result can be used is another question.
 */
export function printAsOne(sources: Sources, options: LoadOptions): string {
  const secrets = new Set<string>();
  const { files, origin } = runAtOnce(openFiles(sources, secrets));
  const { environmentName } = options;
  const view = viewFiles(files, origin);
  const { joined, findings } = runAtOnce(joinFiles(files, { view, secrets, environmentName }));
  const faults = files.flatMap((file) => file.faults).map((fault): Finding => ({ ...fault, path: "" }));
  const errors = [...faults, ...findings.filter(isError)];
  if (errors.length > 0) return refuse(errors, origin, options);
  return printNode(onceEach(treeOf(joined, nowhere)), "");
}

/** Of what several files say for tools of their own, such as `$schema`, the first says it for all. */
function onceEach(root: JsonNode): JsonNode {
  if (root.kind !== "object") return root;
  const once = new Map<string, JsonMember>();
  for (const member of root.members) if (!once.has(member.name)) once.set(member.name, member);
  return { kind: "object", span: root.span, members: [...once.values()] };
}

function printNode(node: JsonNode, indent: string): string {
  const inner = `${indent}  `;
  if (node.kind === "array")
    return printList(
      "[]",
      node.items.map((item) => inner + printNode(item, inner)),
      indent,
    );
  if (node.kind !== "object") return scalarToJson(node);
  const members = node.members.map(
    ({ name, node: value }) => `${inner}${JSON.stringify(name)}: ${printNode(value, inner)}`,
  );
  return printList("{}", members, indent);
}

function printList(brackets: string, lines: readonly string[], indent: string): string {
  return lines.length === 0 ? brackets : `${brackets[0]!}\n${lines.join(",\n")}\n${indent}${brackets[1]!}`;
}
