import type { JsonNode, Span } from "../../json/json-node.ts";
import type { Place } from "../../json/place.ts";
import { resolveWrittenPath } from "../files/resolve-written-path.ts";
import type { PlaceInFile } from "../gateway-config.ts";
import type { Report } from "../problems/problem-list.ts";

/** What everything that reads a configuration shares. */
export type Reading = Readonly<{
  report: Report;
  /** Whether the user knows that a key of Ocelot does nothing here. */
  isAcknowledged(name: string): boolean;
  /** Metadata found where old versions kept it. */
  oldMetadata: Place[];
  /** The path of a file that is named at a place. */
  resolvePath: FileView["resolvePath"];
}>;

/** What reading has to know of the files that the configuration stands in. */
export type FileView = Readonly<{
  /** A path as one can open it: a relative one starts where the file is in which it is written. */
  resolvePath: (path: string, at: Span) => string;
  /** What messages call an item of a list, and its index in the list of its own file. */
  itemOf: (item: JsonNode, index: number) => Readonly<{ index: number; name: string }>;
  /** Where an item stands; undefined where there is only one file. */
  placeOf: (item: JsonNode) => PlaceInFile | undefined;
}>;

/** The view of a configuration that stands in one file, or in none. */
export function viewOneFile(directory: string | undefined): FileView {
  return {
    resolvePath: (path) => resolveWrittenPath(path, directory),
    itemOf: (_item, index) => ({ index, name: `Routes[${index}]` }),
    placeOf: () => undefined,
  };
}

/** Starts reading. */
export function createReading(report: Report, acknowledgements: readonly string[], view: FileView): Reading {
  const acknowledged = new Set(acknowledgements.map((name) => name.trim().toLowerCase()));
  return {
    report,
    isAcknowledged: (name) => acknowledged.has(name.toLowerCase()),
    oldMetadata: [],
    resolvePath: view.resolvePath,
  };
}
