import { quote } from "./json-node.ts";

const plainName = /^[A-Za-z_$][\w$-]*$/;

/** Where a value stands, such as `Routes[3].Metadata["plugin1.enabled"]`. */
export function writtenPath(keys: readonly (string | number)[]): string {
  return keys.map(stepOf).join("").replace(/^\./, "");
}

function stepOf(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  return plainName.test(key) ? `.${key}` : `[${quote(key)}]`;
}
