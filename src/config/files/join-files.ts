import { type JsonNode, nowhere, type Span } from "../../json/json-node.ts";
import type { Steps } from "../../time-slices.ts";
import { createProblemList, type Finding } from "../problems/problem-list.ts";
import type { FileView } from "../read/reading.ts";
import { type FileTree, joinParts, type JoinedRoot } from "./join-parts.ts";
import { findRepeating } from "./find-repeating-files.ts";
import { findUnasked } from "./environment-not-asked-for.ts";
import type { OpenFile } from "./open-files.ts";
import type { Laid } from "./lay-entries.ts";
import { layFileOver } from "./lay-file-over.ts";
import type { PlacedFile } from "./file-at-offset.ts";
import type { FileRole } from "./sources.ts";

/** What several files come to. */
export type JoinedFiles = Readonly<{
  /** The parts alone. */
  beneath: JoinedRoot;
  /** With all that is laid over them. */
  joined: JoinedRoot;
  laid: Laid;
  /** Where what is laid over them says something for all routes. */
  globalSpan: Span;
  findings: readonly Finding[];
}>;

/** A file that has a tree. */
export type TreeFile = FileTree & PlacedFile;

/** How files are put together: what their entries are called, what no message may show, and what was asked for. */
type JoiningSettings = Readonly<{
  view: FileView;
  secrets: ReadonlySet<string>;
  environmentName: string | undefined;
}>;

/** Puts the parts together and lays over them what is to be laid over them. */
export function* joinFiles(
  files: readonly OpenFile[],
  { view, secrets, environmentName }: JoiningSettings,
): Steps<JoinedFiles> {
  const { findings, report } = createProblemList(secrets);
  const [parts, overlays] = [treesOf("part", files), treesOf("overlay", files)];
  findings.push(...findUnasked(files, environmentName), ...(yield* findRepeating(parts)));
  const laid: Laid = new Map();
  const telling = { report, laid, nameOf: (entry: JsonNode) => view.itemOf(entry, 0).name };
  const beneath = joinParts(parts, report);
  let joined = beneath;
  for (const overlay of overlays) joined = yield* layFileOver(joined, overlay, telling);
  return { beneath, joined, laid, globalSpan: globalSpanIn(overlays), findings };
}

/** The files of one role, as far as there is a tree to read. */
export function treesOf(role: FileRole, files: readonly OpenFile[]): readonly TreeFile[] {
  return files.flatMap((file) => (file.role === role && file.root !== undefined ? [{ ...file, root: file.root }] : []));
}

function globalSpanIn(overlays: readonly FileTree[]): Span {
  const members = overlays.flatMap(({ root }) => (root.kind === "object" ? root.members : []));
  return members.findLast(({ name }) => name.toLowerCase() === "globalconfiguration")?.nameSpan ?? nowhere;
}
