import { type JsonReading, readJsonText } from "../../json/json-text.ts";
import type { Substitute } from "../../json/substitute.ts";
import type { Steps } from "../../time-slices.ts";
import { withoutMark } from "../parse-config.ts";
import { createOrigin, type Origin, type OriginText } from "../problems/origin.ts";
import { createSourceText } from "../problems/source-text.ts";
import type { PlacedFile } from "./judge-files.ts";
import type { Sources } from "./sources.ts";

/** A file whose text was walked through, and not read yet. */
export type OpenFile = PlacedFile & JsonReading;

/** Files whose texts were walked through, and where what is found in them stands. */
export type OpenFiles = Readonly<{ files: readonly OpenFile[]; origin: Origin }>;

/** Walks through the texts of all files; the places of one begin where those of the one before have ended. */
export function* openFiles(
  { name, files }: Sources,
  secrets: ReadonlySet<string>,
  substitute?: Substitute,
): Steps<OpenFiles> {
  const open: OpenFile[] = [];
  const texts: OriginText[] = [];
  let start = 0;
  for (const { text: written, ...file } of files) {
    const text = withoutMark(written);
    const reading = file.role === "unasked" ? unread : yield* readJsonText({ text, start }, ignore, substitute);
    open.push({ ...file, ...reading, start });
    texts.push({ file: file.path, source: createSourceText(text), start });
    start += text.length + 1;
  }
  return { files: open, origin: createOrigin(name, texts, [...secrets]) };
}

const unread: JsonReading = { root: undefined, faults: [], variables: [] };

function ignore(): void {
  // Nothing is read before it is known what is laid over it.
}
