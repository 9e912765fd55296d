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
