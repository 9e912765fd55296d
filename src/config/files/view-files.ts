import { dirname } from "node:path";
import type { JsonNode } from "../../json/json-node.ts";
import { type Origin, textOf } from "../problems/origin.ts";
import type { FileView } from "../read/reading.ts";
import { joinedListOf } from "./joined-lists.ts";
import { resolveWrittenPath } from "./resolve-written-path.ts";

type Rooted = Readonly<{ root: JsonNode | undefined }>;

/** What messages call the items of several files, and where the paths in them begin. */
export function viewFiles(files: readonly Rooted[], origin: Origin): FileView {
  const places = new Map(files.flatMap((file) => [...placesIn(file)]));
  return {
    resolvePath(path, at) {
      const { file } = textOf(at, origin);
      return resolveWrittenPath(path, file === undefined ? undefined : dirname(file));
    },
    itemOf(item, index) {
      const { file } = textOf(item.span, origin);
      const { list, index: own } = places.get(item.span.start) ?? { list: "Routes", index };
      return { index: own, name: `${list}[${own}] of ${JSON.stringify(file)}` };
    },
    placeOf({ span }) {
      const { file: path, start } = textOf(span, origin);
      return path === undefined ? undefined : { path, offset: span.start - start };
    },
  };
}

type PlaceInFile = Readonly<{ list: string; index: number }>;

function* placesIn({ root }: Rooted): Generator<readonly [start: number, place: PlaceInFile]> {
  const members = root?.kind === "object" ? root.members : [];
  for (const { name, node } of members) {
    const list = joinedListOf(name)?.name;
    if (list === undefined || node.kind !== "array") continue;
    for (const [index, { span }] of node.items.entries()) yield [span.start, { list, index }];
  }
}
