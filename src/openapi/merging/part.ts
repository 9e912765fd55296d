import type { JsonObject } from "../../json/json-object.ts";
import type { OpenApiDocument, OpenApiVersion } from "../reading/read-document.ts";

/** The versions that are merged: those of OpenAPI 3, as in 2.0 the names of schemas are values that services send. */
export type MergedVersion = Exclude<OpenApiVersion, "2.0">;

/** A document of a service that goes into the merged one, as clients get it. */
export type Part = Readonly<{
  /** What its names begin with, and how its tag is called: no other part has the same. */
  mark: string;
  /** What people call it. */
  name: string;
  document: Readonly<{ version: MergedVersion; root: JsonObject }>;
  /** Whether components that no operation needs stay. */
  keepsComponents: boolean;
}>;

/** Whether a document can be a part. */
export function isMergeable(document: OpenApiDocument): document is Part["document"] {
  return document.version !== "2.0";
}

/** Gives each document a mark of its own, of the key and the version in its path; a dot ends it where it begins a name. */
export function createMarks(): (place: Readonly<{ key: string; version: string }>) => string {
  const taken = new Set<string>();
  return function markOf({ key, version }) {
    const plain = `${key}_${version}`.replace(/[^\w-]+/g, "_");
    let mark = plain;
    for (let number = 2; taken.has(mark); number += 1) mark = `${plain}_${number}`;
    taken.add(mark);
    return mark;
  };
}
