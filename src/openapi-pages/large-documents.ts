import type { JsonObject } from "../json/json-object.ts";
import type { DocumentFault } from "../openapi/reading/document-fault.ts";
import { createWorkTurns } from "../work-in-turn.ts";
import { writeJson } from "../openapi/writing/write-json.ts";
import { runInSlices } from "../time-slices.ts";

const largeCharacters = 1_024 * 1_024;
const mostBytes = 32 * 1_024 * 1_024;
const busy: DocumentFault = { fault: "other large documents take too long to be made" };
const tooLarge: DocumentFault = { fault: "it would come to more than 32 MiB" };

// While one is worked on it takes many times its length: several at a time would come to gigabytes.
const oneByOne = createWorkTurns(1, 20_000);

/** Does the work on a document: on a large one as soon as no other large one of the process is worked on. */
export async function inTurnIfLarge<Result>(
  characters: number,
  work: () => Promise<Result>,
): Promise<Result | DocumentFault> {
  return characters > largeCharacters ? ((await oneByOne(work)) ?? busy) : work();
}

/** The text of a document, unless it is too long. */
export async function writeDocument(document: JsonObject): Promise<Readonly<{ text: string }> | DocumentFault> {
  const text = await runInSlices(writeJson(document, mostBytes));
  return text === undefined ? tooLarge : { text };
}
