import { isObject, type JsonObject } from "../../json/json-object.ts";
import type { OpenApiDocument } from "../reading/read-document.ts";

/** What decides where a service has its operations. */
export type OperationSettings = Readonly<{
  /** The path of the document itself, to which addresses of servers may be relative. */
  documentPath: string;
  /** Whether the paths of servers count. */
  hasServers: boolean;
}>;

/** The path of the server of an operation: the first of some owners that names servers; undefined for a very long one. */
type BasePathOf = (owners: readonly JsonObject[]) => string | undefined;

// No gateway takes longer ones, and the path of a server may stand before each of very many.
export const longestPath = 2_000;
const longestVariable = 200;
// A scheme and a host may stand before the path.
const longestAddress = 2 * longestPath;

/** Prepares to tell the paths of servers, each list of which is read once. */
export function createBasePaths({ root, version }: OpenApiDocument, settings: OperationSettings): BasePathOf {
  const pathOfServers = new Map<unknown, string | undefined>();
  const usual = version === "2.0" && typeof root.basePath === "string" ? withoutSlashes(root.basePath) : "";

  return function basePathOf(owners) {
    if (version === "2.0" || !settings.hasServers) return usual;
    const servers = owners.map(({ servers: own }) => own).find((own) => Array.isArray(own) && own.length > 0);
    if (!pathOfServers.has(servers)) pathOfServers.set(servers, readServers(servers as readonly unknown[] | undefined));
    return pathOfServers.get(servers);
  };

  function readServers([first]: readonly unknown[] = []): string | undefined {
    if (!isObject(first) || typeof first.url !== "string" || first.url.length > longestPath) return "";
    const address = fillVariables(first.url, first.variables);
    if (address.length > longestAddress) return undefined;
    return withoutSlashes(URL.parse(address, `http://service${settings.documentPath}`)?.pathname ?? "");
  }
}

function fillVariables(url: string, variables: unknown): string {
  let length = 0;
  return url.replace(/\{([^{}]+)\}/g, (braced, name: string) => {
    const variable = isObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value = isObject(variable) ? variable.default : undefined;
    const isFilled = typeof value === "string" && value.length <= longestVariable && length <= longestAddress;
    if (isFilled) length += value.length;
    return isFilled ? value : braced;
  });
}

function withoutSlashes(path: string): string {
  let [start, end] = [0, path.length];
  while (path[start] === "/") start += 1;
  // A pattern would look at each slash of a long row anew.
  while (end > start && path[end - 1] === "/") end -= 1;
  return end === start ? "" : `/${path.slice(start, end)}`;
}
