import { dirname, isAbsolute, join } from "node:path";
import type { JsonNode } from "../../json/json-node.ts";
import { type Origin, textOf } from "../problems/origin.ts";
import type { FileView } from "../read/reading.ts";
import { joinedListOf } from "./joined-lists.ts";

type Rooted = Readonly<{ root: JsonNode | undefined }>;

/** What messages call the items of several files, and where the paths in them begin. */
export function viewFiles(files: readonly Rooted[], origin: Origin): FileView {
  const indexes = new Map(files.flatMap((file) => [...indexesIn(file)]));
  return {
    resolvePath(path, at) {
      const { file } = textOf(at, origin);
      return file === undefined || isAbsolute(path) ? path : join(dirname(file), path);
    },
    itemOf(item, index) {
      const { file } = textOf(item.span, origin);
      const own = indexes.get(item.span.start) ?? index;
      return { file, index: own, name: `Routes[${own}] of ${JSON.stringify(file)}` };
    },
  };
}

function* indexesIn({ root }: Rooted): Generator<readonly [start: number, index: number]> {
  const members = root?.kind === "object" ? root.members : [];
  for (const { name, node } of members) {
    if (joinedListOf(name) === undefined || node.kind !== "array") continue;
    for (const [index, { span }] of node.items.entries()) yield [span.start, index];
  }
}
