import { isObject, type JsonObject } from "../../json/json-object.ts";
import { getOrAdd } from "../../routing/index/get-or-add.ts";
import type { Steps } from "../../time-slices.ts";
import { shapeOf } from "../narrowing/align-parameter-names.ts";
import { namesIn } from "../narrowing/path-segments.ts";
import type { Budgets } from "../shapes/document-budgets.ts";
import type { AdoptedPart } from "./adopt-part.ts";

/** An operation of a part, and where the merged document has it. */
type PlacedCopy = Readonly<{ path: string; method: string; operation: JsonObject }>;

/** The paths of a merged document. */
type Places = Readonly<{
  /** Copies the operations of a part as far as no other one is at their places; undefined where that is too much. */
  prepare: (
    part: Pick<AdoptedPart, "servers" | "operation">,
    paths: unknown,
    budgets: Budgets,
  ) => Steps<readonly PlacedCopy[] | undefined>;
  add: (copies: readonly PlacedCopy[]) => void;
  paths: () => JsonObject;
}>;

type PathItem = Readonly<{ path: string; operations: Map<string, JsonObject> }>;

/** Collects operations by path and method; paths that differ by the names of parameters only are one. */
export function createPlaces(servers: readonly unknown[]): Places {
  const items = new Map<string, PathItem>();
  const usualServers = JSON.stringify(servers);
  return { prepare, add, paths: allPaths };

  function* prepare(...[part, paths, { read, written }]: Parameters<Places["prepare"]>): ReturnType<Places["prepare"]> {
    const elsewhere = JSON.stringify(part.servers) === usualServers ? {} : { servers: part.servers };
    const copies: PlacedCopy[] = [];
    for (const [path, item] of Object.entries(isObject(paths) ? paths : {})) {
      const known = items.get(shapeOf(path));
      const others = namesIn(known?.path ?? path);
      const renamed = new Map(namesIn(path).map((name, index) => [name, others[index]!]));
      for (const [method, own] of Object.entries(item as Readonly<Record<string, JsonObject>>)) {
        yield;
        if (known?.operations.has(method) === true) continue;
        if (!(yield* read.allows(own))) return undefined;
        const operation = { ...elsewhere, ...(yield* part.operation(own, renamed)) };
        if (!(yield* written.allows([path, operation]))) return undefined;
        copies.push({ path, method, operation });
      }
    }
    return copies;
  }

  function add(copies: readonly PlacedCopy[]): void {
    for (const { path, method, operation } of copies) {
      getOrAdd(items, shapeOf(path), () => ({ path, operations: new Map() })).operations.set(method, operation);
    }
  }

  function allPaths(): JsonObject {
    return Object.fromEntries([...items.values()].map((item) => [item.path, Object.fromEntries(item.operations)]));
  }
}
