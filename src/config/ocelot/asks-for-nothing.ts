import { isEmptyNode, type JsonNode } from "../../json/json-node.ts";
import { readNumber } from "../../schema/values.ts";

type Demand = (node: JsonNode) => boolean;

const defaults: Readonly<Record<string, Demand>> = {
  // Earlier versions wrote it by default; it means something only where the process has a proxy.
  UseProxy: (node) => isOther("false")(node) && hasProxy(),
  UseTracing: () => false,
};

/** Whether a key that is not implemented asks for nothing that would be missing: tools write out every key. */
export function asksForNothing(name: string, node: JsonNode): boolean {
  if (isOff(node)) return true;
  const demand = Object.hasOwn(defaults, name) ? defaults[name]! : undefined;
  return demand !== undefined && !demand(node);
}

/** `null`, an empty value, 0 and false. */
function isOff(node: JsonNode): boolean {
  if (isEmptyNode(node)) return true;
  return "text" in node && (/^\s*(false)?\s*$/i.test(node.text) || readNumber(node.text) === 0);
}

function isOther(...standards: readonly string[]): Demand {
  return (node) => !isEmptyNode(node) && !("text" in node && standards.includes(node.text.trim().toLowerCase()));
}

const proxyVariables = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];

function hasProxy(): boolean {
  return proxyVariables.some((name) => (process.env[name] ?? "") !== "");
}
