import type { JsonObject } from "../json/json-object.ts";
import type { DocumentFault } from "../openapi/reading/document-fault.ts";
import { writeJson } from "../openapi/writing/write-json.ts";
import { runInSlices } from "../time-slices.ts";

const mostBytes = 32 * 1_024 * 1_024;
const tooLarge: DocumentFault = { fault: "it would come to more than 32 MiB" };

/** The text of a document, unless it is too long. */
export async function writeDocument(document: JsonObject): Promise<Readonly<{ text: string }> | DocumentFault> {
  const text = await runInSlices(writeJson(document, mostBytes));
  return text === undefined ? tooLarge : { text };
}
