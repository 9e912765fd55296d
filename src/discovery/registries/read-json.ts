import { gatherUpTo } from "../../bodies/pieces/gather-up-to.ts";
import type { JsonFault } from "../../json/find-blocks.ts";
import { parseInSlices } from "../../json/parse-in-slices.ts";
import { measureInSlices } from "../../rest-after-work.ts";

/** A document of a registry, how long it is, and how many milliseconds of work it has cost to parse it. */
export type ReadJson = Readonly<{ json: unknown; length: number; took: number }>;

// Of 8 MiB, lists of instances have fewer; whoever reads the members of one list reads all of them in one go.
const bounds = { depth: 200, members: 50_000, values: 500_000 };

const faults: Readonly<Record<JsonFault, string>> = {
  // The error quotes nothing of it: the text may hold a token.
  form: "It is not valid JSON.",
  depth: `It is nested deeper than ${bounds.depth} levels.`,
  members: `A list or object in it has more than ${bounds.members} members.`,
  values: `It has more than ${bounds.values} values.`,
};

/** Parses what a registry has told, so that requests are served in between. */
export async function parseTold(text: string): Promise<ReadJson> {
  const { result: read, took } = await measureInSlices(parseInSlices(text, bounds));
  if ("fault" in read) throw new SyntaxError(faults[read.fault]);
  return { json: read.value, length: text.length, took };
}

/** The text of an answer; fails where it is longer than that. */
export async function readText(
  answer: AsyncIterable<Buffer>,
  mostBytes: number,
  tooLong: () => Error,
): Promise<string> {
  const bytes = await gatherUpTo(answer, { mostBytes });
  if (bytes === undefined) throw tooLong();
  return bytes.toString();
}
