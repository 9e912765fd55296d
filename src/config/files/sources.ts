import { digestText } from "../gateway-config.ts";

/**
 * What a file is to a configuration: a part of it; what an environment lays over the parts; `ocelot.json` beside parts,
 * which may be what another tool has made of them; or named like an environment that nobody asked for.
 */
export type FileRole = "part" | "overlay" | "whole" | "unasked";

/** A file that was found, by the path that messages call it by. */
export type FoundFile = Readonly<{
  path: string;
  role: FileRole;
  /** The user has said that it is a part, whatever it looks like. */
  isSurelyPart?: true;
}>;

/** A file that was read. */
export type SourceFile = FoundFile & Readonly<{ text: string }>;

/** Whether nothing at all stands in a file. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** All that a configuration is read from, in order: what lies on disks becomes this first, and workers are sent it. */
export type Sources = Readonly<{
  /** What messages call the whole. */
  name: string;
  files: readonly SourceFile[];
  /** What lies beside them and looks as if it were meant to be one of them. */
  passedOver: readonly string[];
}>;

/** The only file, where there is nothing to be joined. */
export function onlyFile({ files, passedOver }: Sources): SourceFile | undefined {
  const [first, ...others] = files;
  return others.length === 0 && passedOver.length === 0 && first?.role === "part" ? first : undefined;
}

/** By which sources are told apart. */
export function digestSources(sources: Sources): string {
  const only = onlyFile(sources);
  return digestText(only === undefined ? packSources(sources) : only.text);
}

/**
 * One text for all of them. The texts themselves stand in it as they are, behind a line that tells how long they are: in
 * JSON each would have to be escaped, which takes long in one go.
 */
export function packSources({ files, ...rest }: Sources): string {
  const described = files.map(({ text, ...file }) => ({ ...file, length: text.length }));
  return [JSON.stringify({ ...rest, files: described }), "\n", ...files.map(({ text }) => text)].join("");
}

type Packed = Omit<Sources, "files"> & Readonly<{ files: readonly (FoundFile & Readonly<{ length: number }>)[] }>;

/** The sources that were packed into a text. */
export function unpackSources(packed: string): Sources {
  const end = packed.indexOf("\n");
  const { files, ...rest } = JSON.parse(packed.slice(0, end)) as Packed;
  let start = end + 1;
  const unpacked = files.map(({ length, ...file }) => {
    const text = packed.slice(start, start + length);
    start += length;
    return { ...file, text };
  });
  return { ...rest, files: unpacked };
}
