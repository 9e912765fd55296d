import { isObject, listOf, type JsonObject } from "../../json/json-object.ts";
import type { Steps } from "../../time-slices.ts";
import type { OpenApiDocument } from "../reading/read-document.ts";
import { followReferences } from "../shapes/resolve-pointer.ts";
import { createBasePaths, longestPath, type OperationSettings } from "./base-paths.ts";
import type { WrittenParameter } from "./describe-parameters.ts";
import { cutSegments, type PathSegment } from "./path-segments.ts";

/** An operation of a document, and where the service has it. */
export type FoundOperation = Readonly<{
  /** The path as it is written, behind the path of the server. */
  segments: readonly PathSegment[];
  /** How many names stand in it. */
  names: number;
  /** In lower case. */
  method: string;
  operation: JsonObject;
  /** Made when they are needed: many paths may refer to the same ones. */
  parameters: () => Steps<readonly WrittenParameter[]>;
  /** All that is read to write the operation, besides them. */
  parts: readonly unknown[];
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

/** More than any service has; each may be at several places, which are no more in all. */
export const mostOperations = 10_000;
const mostSegments = 100;

/**
 * The operations of a document, in its order; what is none is passed over. Undefined where there are too many to look at,
 * whatever becomes of them.
 */
export function* readOperations(
  document: OpenApiDocument,
  settings: OperationSettings,
): Steps<readonly FoundOperation[] | undefined> {
  const { root } = document;
  const paths = isObject(root.paths) ? root.paths : {};
  const all: FoundOperation[] = [];
  const basePathOf = createBasePaths(document, settings);
  let seen = 0;
  if (Object.keys(paths).length > mostOperations) return undefined;
  for (const [path, written] of Object.entries(paths)) {
    const item = followReferences(root, written);
    if (item === undefined || !path.startsWith("/")) continue;
    for (const method of methodsOfVersion(document)) {
      yield;
      const { [method]: own } = item;
      if (!isObject(own)) continue;
      if (seen === mostOperations) return undefined;
      seen += 1;
      const segments = cutPath(basePathOf([own, item, root]), path);
      if (segments !== undefined)
        all.push({ segments, names: countNames(segments), method, ...describe(document, item, own) });
    }
  }
  return all;
}

function cutPath(basePath: string | undefined, path: string): readonly PathSegment[] | undefined {
  if (basePath === undefined || basePath.length + path.length > longestPath) return undefined;
  const segments = cutSegments(basePath + path);
  return segments !== undefined && segments.length <= mostSegments ? segments : undefined;
}

function countNames(segments: readonly PathSegment[]): number {
  return segments.flat().filter((part) => typeof part === "object").length;
}

function describe(
  document: OpenApiDocument,
  item: JsonObject,
  own: JsonObject,
): Pick<FoundOperation, "operation" | "parameters" | "parts"> {
  const { summary = item.summary, description = item.description } = own;
  const parameters = (): Steps<readonly WrittenParameter[]> => parametersOf(document, item, own);
  const parts = [own, summary, description, item.parameters, document.root.security];
  return { operation: { ...own, summary, description }, parameters, parts };
}

/** Those of the path and of the operation, which go before them. */
function* parametersOf(
  { root, version }: OpenApiDocument,
  item: JsonObject,
  operation: JsonObject,
): Steps<readonly WrittenParameter[]> {
  const places = parameterPlaces[version === "2.0" ? 2 : 3];
  const byName = new Map<string, WrittenParameter>();
  for (const written of [...listOf(item.parameters), ...listOf(operation.parameters)]) {
    yield;
    const resolved = followReferences(root, written);
    if (resolved === undefined || typeof resolved.name !== "string" || !places.has(resolved.in)) continue;
    // There is one body, whatever it is called.
    const name = resolved.in === "body" ? "" : resolved.name;
    byName.set(`${String(resolved.in)} ${name}`, { written, resolved });
  }
  return [...byName.values()];
}
