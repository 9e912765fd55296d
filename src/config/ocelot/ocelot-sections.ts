import { isEmptyNode, type JsonNode } from "../../json/json-node.ts";

/** The keys within sections of Ocelot's that this gateway has no section of its own for, older spellings included. */
export const ocelotSections: Readonly<Record<string, readonly string[]>> = {};

type Demand = (node: JsonNode) => boolean;

/** What switches a section on; where none of it is written, the rest of the section asks for nothing. */
const switches: Readonly<Record<string, Readonly<Record<string, Demand>>>> = {};

const defaults: Readonly<Record<string, Demand>> = {
  // Earlier versions wrote it by default; it means something only where the process has a proxy.
  UseProxy: (node) => isOther("false")(node) && hasProxy(),
  UseTracing: () => false,
};

/** Whether a key that is not implemented asks for nothing that would be missing: tools write out every key. */
export function asksForNothing(name: string, node: JsonNode): boolean {
  if (isOff(node)) return true;
  const demand = Object.hasOwn(defaults, name) ? defaults[name]! : undefined;
  if (demand !== undefined) return !demand(node);
  const table = Object.hasOwn(switches, name) ? switches[name]! : undefined;
  if (table === undefined || node.kind !== "object") return false;
  const byName = new Map(Object.entries(table).map(([key, asks]) => [key.toLowerCase(), asks]));
  return node.members.every((member) => byName.get(member.name.toLowerCase())?.(member.node) !== true);
}

/** `null`, an empty value, 0 and false. */
function isOff(node: JsonNode): boolean {
  if (isEmptyNode(node)) return true;
  return "text" in node && (/^(false)$/i.test(node.text.trim()) || Number(node.text) === 0);
}

function isOther(...standards: readonly string[]): Demand {
  return (node) => !isEmptyNode(node) && !("text" in node && standards.includes(node.text.trim().toLowerCase()));
}

const proxyVariables = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];

function hasProxy(): boolean {
  return proxyVariables.some((name) => (process.env[name] ?? "") !== "");
}
