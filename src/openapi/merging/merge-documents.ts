import { type JsonObject, setMember } from "../../json/json-object.ts";
import type { Steps } from "../../time-slices.ts";
import { createBudgets } from "../shapes/document-budgets.ts";
import { type AdoptedPart, adoptPart } from "./adopt-part.ts";
import { createPlaces } from "./merged-places.ts";
import type { MergedVersion, Part } from "./mergeable-document.ts";

/** What a merged document says of itself. */
export type MergedInfo = Readonly<{ title: string; version: string; description?: string }>;

const markOfVersion: Readonly<Record<MergedVersion, string>> = { "3.0": "3.0.3", "3.1": "3.1.0" };

/**
 * Makes one document of those of several services. It is of the latest version among them; of operations at one place the
 * first counts. Parts with which it would come to too much are left out, and what it says of itself tells which.
 */
export function* mergeDocuments(
  parts: readonly Part[],
  describe: (leftOut: readonly Part[]) => MergedInfo,
): Steps<JsonObject> {
  const version = parts.some(({ document }) => document.version === "3.1") ? "3.1" : "3.0";
  const adopted: (AdoptedPart & { part: Part })[] = [];
  for (const part of parts) adopted.push({ part, ...(yield* adoptPart(part, version)) });
  const servers = adopted[0]?.servers ?? [];
  const places = createPlaces(servers);
  const sections: Record<string, Record<string, unknown>> = {};
  const leftOut: Part[] = [];
  let left: number | undefined;
  for (const one of adopted) {
    const budgets = createBudgets(left);
    const placed = yield* places.prepare(one, one.part.document.root.paths, budgets);
    const components = placed && (yield* one.components(budgets));
    if (components === undefined) {
      leftOut.push(one.part);
      continue;
    }
    left = budgets.written.left();
    places.add(placed!);
    yield* addAll(sections, components);
  }
  const tagged = parts.filter((part) => !leftOut.includes(part));
  return {
    openapi: markOfVersion[version],
    info: describe(leftOut),
    servers,
    tags: tagged.map(({ mark, name }) => ({ name: mark, description: name })),
    paths: places.paths(),
    ...(Object.keys(sections).length === 0 ? {} : { components: sections }),
  };
}

function* addAll(
  sections: Record<string, Record<string, unknown>>,
  components: Readonly<Record<string, JsonObject>>,
): Steps<void> {
  for (const [section, members] of Object.entries(components)) {
    const all = (sections[section] ??= {});
    for (const name of Object.keys(members)) {
      yield;
      setMember(all, name, members[name]);
    }
  }
}
