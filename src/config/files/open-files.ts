import { type JsonReading, readJsonText } from "../../json/json-text.ts";
import type { Substitute } from "../../json/variable-fault.ts";
import type { Steps } from "../../time-slices.ts";
import { withoutMark } from "../parse-config.ts";
import { createOrigin, type Origin, type OriginText } from "../problems/origin.ts";
import { createSourceText } from "../problems/source-text.ts";
import type { PlacedFile } from "./file-at-offset.ts";
import { isBlank, type Sources } from "./sources.ts";
import { type CountingFiles, leaveOutEmptyFiles } from "./leave-out-empty-files.ts";

/** A file whose text was walked through, and not read yet. */
export type OpenFile = PlacedFile &
  JsonReading &
  Readonly<{
    /** Not even an empty object stands in it. */
    isBlank: boolean;
  }>;

/** Files whose texts were walked through, as far as they say something, and where what is found in them stands. */
export type OpenFiles = CountingFiles<OpenFile> & Readonly<{ origin: Origin }>;

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
    open.push({ ...file, ...reading, start, isBlank: isBlank(text) });
    texts.push({ file: file.path, source: createSourceText(text), start });
    start += text.length + 1;
  }
  return { ...leaveOutEmptyFiles(open), origin: createOrigin(name, texts, [...secrets]) };
}

const unread: JsonReading = { root: undefined, faults: [], variables: [] };

function ignore(): void {
  // Nothing is read before it is known what is laid over it.
}
