import { isObject, type JsonObject } from "../../json/json-object.ts";
import { getOrAdd } from "../../routing/index/get-or-add.ts";
import type { Steps } from "../../time-slices.ts";
import { shapeOf } from "../narrowing/align-names.ts";
import { namesIn } from "../narrowing/path-segments.ts";
import { adoptPart, type AdoptedPart } from "./adopt-part.ts";
import type { MergedVersion, Part } from "./part.ts";

/** What a merged document says of itself. */
export type MergedInfo = Readonly<{ title: string; version: string; description?: string }>;

const markOfVersion: Readonly<Record<MergedVersion, string>> = { "3.0": "3.0.3", "3.1": "3.1.0" };

/**
 * Makes one document of those of several services. It is of the latest version among them; of operations at one place the
 * first counts.
 */
export function* mergeDocuments(parts: readonly Part[], info: MergedInfo): Steps<JsonObject> {
  const version = parts.some(({ document }) => document.version === "3.1") ? "3.1" : "3.0";
  const adopted = parts.map((part) => ({ ...adoptPart(part, version), paths: part.document.root.paths }));
  const servers = adopted[0]?.servers ?? [];
  const place = createPlaces(servers);
  for (const part of adopted) yield* place.addAll(part);
  const components = yield* joinComponents(adopted);
  return {
    openapi: markOfVersion[version],
    info,
    servers,
    tags: parts.map(({ mark, name }) => ({ name: mark, description: name })),
    paths: place.paths(),
    ...(Object.keys(components).length === 0 ? {} : { components }),
  };
}

function* joinComponents(adopted: readonly AdoptedPart[]): Steps<JsonObject> {
  const sections = new Map<string, Map<string, unknown>>();
  for (const part of adopted) {
    for (const [section, members] of Object.entries(yield* part.components())) {
      for (const [name, member] of Object.entries(members)) {
        getOrAdd(sections, section, () => new Map<string, unknown>()).set(name, member);
      }
    }
  }
  return Object.fromEntries([...sections].map(([section, members]) => [section, Object.fromEntries(members)]));
}

type Places = Readonly<{
  addAll: (part: AdoptedPart & Readonly<{ paths: unknown }>) => Steps<void>;
  paths: () => JsonObject;
}>;

type PathItem = Readonly<{ path: string; operations: Map<string, JsonObject> }>;

function createItem(path: string): PathItem {
  return { path, operations: new Map() };
}

/** Collects operations by path and method; paths that differ by the names of parameters only are one. */
function createPlaces(servers: readonly unknown[]): Places {
  const items = new Map<string, PathItem>();
  const usualServers = JSON.stringify(servers);
  return { addAll, paths };

  function* addAll(part: Parameters<Places["addAll"]>[0]): Steps<void> {
    const elsewhere = JSON.stringify(part.servers) === usualServers ? {} : { servers: part.servers };
    for (const [path, item] of Object.entries(isObject(part.paths) ? part.paths : {})) {
      const { path: known, operations } = getOrAdd(items, shapeOf(path), () => createItem(path));
      const others = namesIn(known);
      const renamed = new Map(namesIn(path).map((name, index) => [name, others[index]!]));
      for (const [method, operation] of Object.entries(item as Readonly<Record<string, JsonObject>>)) {
        yield;
        if (operations.has(method)) continue;
        operations.set(method, { ...elsewhere, ...part.operation(operation, renamed) });
      }
    }
  }

  function paths(): JsonObject {
    return Object.fromEntries([...items.values()].map((item) => [item.path, Object.fromEntries(item.operations)]));
  }
}
