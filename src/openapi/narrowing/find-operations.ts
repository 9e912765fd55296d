import { isObject, listOf, type JsonObject } from "../../json/json-object.ts";
import type { Steps } from "../../time-slices.ts";
import type { OpenApiDocument } from "../reading/read-document.ts";
import { followReferences } from "../shapes/resolve-pointer.ts";
import type { WrittenParameter } from "./describe-parameters.ts";
import { cutSegments, type PathSegment } from "./path-segments.ts";

/** An operation of a document, and where the service has it. */
export type FoundOperation = Readonly<{
  /** The path as it is written, behind the path of the server. */
  segments: readonly PathSegment[];
  /** In lower case. */
  method: string;
  operation: JsonObject;
  /** Made when they are needed: many paths may refer to the same ones. */
  parameters: () => readonly WrittenParameter[];
  /** All that is read to write the operation. */
  parts: () => unknown;
}>;

const methods: Readonly<Record<"2" | "3", readonly string[]>> = {
  2: ["get", "put", "post", "delete", "options", "head", "patch"],
  3: ["get", "put", "post", "delete", "options", "head", "patch", "trace"],
};

const parameterPlaces: Readonly<Record<"2" | "3", ReadonlySet<unknown>>> = {
  2: new Set(["path", "query", "header", "body", "formData"]),
  3: new Set(["path", "query", "header", "cookie"]),
};

/** The methods of operations that a version knows. */
export function methodsOfVersion({ version }: Pick<OpenApiDocument, "version">): readonly string[] {
  return methods[version === "2.0" ? 2 : 3];
}

/** What decides where a service has its operations. */
export type OperationSettings = Readonly<{
  /** The path of the document itself, to which addresses of servers may be relative. */
  documentPath: string;
  /** Whether the paths of servers count. */
  hasServers: boolean;
}>;

/** More than any service has; each may be at several places, which are no more in all. */
export const mostOperations = 10_000;
// No gateway takes longer ones, and the path of a server may stand before each of very many.
const longestPath = 2_000;
const mostSegments = 100;
const longestVariable = 200;

/** The operations of a document, in its order; what is none is passed over. Undefined where there are too many. */
export function* findOperations(
  document: OpenApiDocument,
  settings: OperationSettings,
): Steps<readonly FoundOperation[] | undefined> {
  const { root } = document;
  const paths = isObject(root.paths) ? root.paths : {};
  const all: FoundOperation[] = [];
  for (const [path, written] of Object.entries(paths)) {
    const item = followReferences(root, written);
    if (item === undefined || !path.startsWith("/")) continue;
    for (const method of methodsOfVersion(document)) {
      yield;
      const { [method]: own } = item;
      if (!isObject(own)) continue;
      const segments = cutPath(basePathOf(document, [own, item, root], settings), path);
      if (segments === undefined) continue;
      if (all.length === mostOperations) return undefined;
      all.push({ segments, method, ...describe(document, item, own) });
    }
  }
  return all;
}

function cutPath(basePath: string, path: string): readonly PathSegment[] | undefined {
  if (basePath.length + path.length > longestPath) return undefined;
  const segments = cutSegments(basePath + path);
  return segments !== undefined && segments.length <= mostSegments ? segments : undefined;
}

function describe(
  document: OpenApiDocument,
  item: JsonObject,
  own: JsonObject,
): Pick<FoundOperation, "operation" | "parameters" | "parts"> {
  const { summary = item.summary, description = item.description } = own;
  const parameters = (): readonly WrittenParameter[] => parametersOf(document, item, own);
  const parts = (): unknown => [own, summary, description, item.parameters, parameters(), document.root.security];
  return { operation: { ...own, summary, description }, parameters, parts };
}

/** Those of the path and of the operation, which go before them. */
function parametersOf(
  { root, version }: OpenApiDocument,
  item: JsonObject,
  operation: JsonObject,
): readonly WrittenParameter[] {
  const places = parameterPlaces[version === "2.0" ? 2 : 3];
  const byName = new Map<string, WrittenParameter>();
  for (const written of [...listOf(item.parameters), ...listOf(operation.parameters)]) {
    const resolved = followReferences(root, written);
    if (resolved === undefined || typeof resolved.name !== "string" || !places.has(resolved.in)) continue;
    // There is one body, whatever it is called.
    const name = resolved.in === "body" ? "" : resolved.name;
    byName.set(`${String(resolved.in)} ${name}`, { written, resolved });
  }
  return [...byName.values()];
}

/** The path of the server of an operation: its own, that of its path, or that of the document. */
function basePathOf(
  { root, version }: OpenApiDocument,
  owners: readonly JsonObject[],
  settings: OperationSettings,
): string {
  if (version === "2.0") return typeof root.basePath === "string" ? withoutSlashes(root.basePath) : "";
  if (!settings.hasServers) return "";
  const servers = owners.map(({ servers: own }) => own).find((own) => Array.isArray(own) && own.length > 0);
  const [first] = listOf(servers);
  if (!isObject(first) || typeof first.url !== "string" || first.url.length > longestPath) return "";
  const address = fillVariables(first.url, first.variables);
  return withoutSlashes(URL.parse(address, `http://service${settings.documentPath}`)?.pathname ?? "");
}

function fillVariables(url: string, variables: unknown): string {
  return url.replace(/\{([^{}]+)\}/g, (braced, name: string) => {
    const variable = isObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value = isObject(variable) ? variable.default : undefined;
    return typeof value === "string" && value.length <= longestVariable ? value : braced;
  });
}

function withoutSlashes(path: string): string {
  let [start, end] = [0, path.length];
  while (path[start] === "/") start += 1;
  // A pattern would look at each slash of a long row anew.
  while (end > start && path[end - 1] === "/") end -= 1;
  return end === start ? "" : `/${path.slice(start, end)}`;
}
