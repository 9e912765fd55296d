import { isObject, type JsonObject } from "../../json/json-object.ts";
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
  parameters: readonly WrittenParameter[];
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

/** The operations of a document, in its order; what is none is passed over. */
export function* findOperations(document: OpenApiDocument, settings: OperationSettings): Generator<FoundOperation> {
  const { root } = document;
  const paths = isObject(root.paths) ? root.paths : {};
  for (const [path, written] of Object.entries(paths)) {
    const item = followReferences(root, written);
    if (item === undefined || !path.startsWith("/")) continue;
    for (const method of methodsOfVersion(document)) {
      const { [method]: own } = item;
      if (!isObject(own)) continue;
      const segments = cutSegments(basePathOf(document, [own, item, root], settings) + path);
      if (segments === undefined) continue;
      const { summary = item.summary, description = item.description } = own;
      const operation = { ...own, summary, description };
      yield { segments, method, operation, parameters: parametersOf(document, item, own) };
    }
  }
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

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
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
  if (!isObject(first) || typeof first.url !== "string") return "";
  const address = fillVariables(first.url, first.variables);
  return withoutSlashes(URL.parse(address, `http://service${settings.documentPath}`)?.pathname ?? "");
}

function fillVariables(url: string, variables: unknown): string {
  return url.replace(/\{([^{}]+)\}/g, (braced, name: string) => {
    const variable = isObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isObject(variable) && typeof variable.default === "string" ? variable.default : braced;
  });
}

function withoutSlashes(path: string): string {
  const bare = path.replace(/^\/+|\/+$/g, "");
  return bare === "" ? "" : `/${bare}`;
}
