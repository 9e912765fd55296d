import { isEmptyNode, type JsonNode, nowhere } from "../../json/json-node.ts";
import type { Finding } from "../problems/problem-list.ts";
import type { FoundFile } from "./sources.ts";

type WalkedFile = FoundFile & Readonly<{ root: JsonNode | undefined; isBlank: boolean }>;

/** The files that count, and what is told of those that do not. */
export type CountingFiles<File> = Readonly<{ files: readonly File[]; findings: readonly Finding[] }>;

/**
 * Leaves out what says nothing: an `ocelot.json` beside parts, which cannot be stale; and parts that are all empty beneath
 * the file of an environment, which is the configuration then, as where there is nothing beneath it.
 */
export function leaveOutEmptyFiles<File extends WalkedFile>(files: readonly File[]): CountingFiles<File> {
  const isLaidOver = files.some(({ role }) => role === "overlay");
  const isBare = isLaidOver && files.every((file) => !isBeneath(file) || saysNothing(file));
  const isLeftOut = (file: File): boolean => {
    if (isBare) return file.role !== "overlay";
    return file.role === "whole" && saysNothing(file);
  };
  const blank = files.filter((file) => isLeftOut(file) && file.isBlank && file.role !== "unasked");
  return { files: files.filter((file) => !isLeftOut(file)), findings: blank.map(tellBlank) };
}

function isBeneath({ role }: WalkedFile): boolean {
  return role === "part" || role === "whole";
}

function saysNothing({ root, isBlank }: WalkedFile): boolean {
  return isBlank || (root?.kind === "object" && root.members.every(({ node }) => isEmptyNode(node)));
}

function tellBlank({ path }: WalkedFile): Finding {
  const message = `${JSON.stringify(path)} is empty, and so the other files alone are the configuration`;
  return { code: "file-passed-over", path: "", message, span: nowhere };
}
