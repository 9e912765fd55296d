import { UpstreamError } from "../errors.ts";
import { mergeDocuments, type MergedInfo } from "../openapi/merging/merge-documents.ts";
import { createMarks } from "../openapi/merging/mark-of-document.ts";
import { isMergeable, type Part } from "../openapi/merging/mergeable-document.ts";
import { isFault } from "../openapi/reading/document-fault.ts";
import { readDocument } from "../openapi/reading/read-document.ts";
import type { DocumentPlace } from "../openapi/where-documents-are.ts";
import { someAtATime } from "../some-at-a-time.ts";
import { runInSlices } from "../time-slices.ts";
import { withinTime } from "../unattended/within-time.ts";
import type { KeptDocument } from "./kept-documents.ts";
import { longTurns } from "./turns-of-document.ts";
import { writeDocument } from "./write-document.ts";

/** Has the document of a place as clients get it. */
type ReadKept = (place: DocumentPlace) => Promise<KeptDocument>;

/** A document that goes into the merged one, or why it does not. */
type Found = Part | Readonly<{ name: string; absent: string }>;

/** What was read of a place: no bytes where it cannot be had, and undefined where there is no room for them. */
type ReadPlace = { bytes: Buffer | undefined; readonly length: number };

/** What the merged document is called. */
export const mergedName = "All services";

const mostBytes = 8 * 1_024 * 1_024;
// Which of them are parts shows only later: a document that is none leaves its room to those behind it.
const mostHeld = 64 * 1_024 * 1_024;
const mostAtOnce = 8;
const usualPatience = 30_000;
const nothing = Buffer.alloc(0);
const tooLarge = "all together would be too large";

/** Makes one document of all that can be had within so many milliseconds, and says in it which are missing. */
export async function makeMerged(
  places: readonly DocumentPlace[],
  read: ReadKept,
  patience = usualPatience,
): Promise<string> {
  const all = await readAll(places, read, performance.now() + patience);
  const written = await longTurns.inTurn(() => mergeAll(places, all));
  if (!isFault(written)) return written.text;
  throw new UpstreamError("document-unavailable", `The merged OpenAPI document cannot be had: ${written.fault}.`);
}

async function mergeAll(places: readonly DocumentPlace[], all: readonly ReadPlace[]): ReturnType<typeof writeDocument> {
  const found = await findParts(places, all);
  const parts = found.filter((one) => "document" in one);
  return writeDocument(await runInSlices(mergeDocuments(parts, describe)));

  function describe(leftOut: readonly Part[]): MergedInfo {
    const absent = found.flatMap((one) => reasonOf(one, leftOut) ?? []);
    const missing = absent.length === 0 ? {} : { description: `Not in it: ${absent.join(", ")}.` };
    if (parts.length > leftOut.length) return { title: mergedName, version: "1", ...missing };
    const why = missing.description ?? "The configuration names no documents.";
    throw new UpstreamError("document-unavailable", `The merged OpenAPI document would hold nothing. ${why}`);
  }
}

function reasonOf(found: Found, leftOut: readonly Part[]): string | undefined {
  if ("absent" in found) return `${found.name} (${found.absent})`;
  return leftOut.includes(found) ? `${found.name} (${tooLarge})` : undefined;
}

async function findParts(places: readonly DocumentPlace[], all: readonly ReadPlace[]): Promise<readonly Found[]> {
  const markOf = createMarks();
  const found: Found[] = [];
  let bytesLeft = mostBytes;
  for (const [index, place] of places.entries()) {
    const { bytes, length } = all[index]!;
    const part = await toPart({ place, mark: markOf(place) }, length > bytesLeft ? undefined : bytes);
    if ("document" in part) bytesLeft -= length;
    found.push(part);
  }
  return found;
}

/**
 * The bytes of each document; none for what cannot be had now, or is not what clients can call. All together are waited
 * for no longer than so long, and each for its share of what is left of that: the first ones may be the slow ones.
 */
async function readAll(places: readonly DocumentPlace[], read: ReadKept, end: number): Promise<readonly ReadPlace[]> {
  const all: ReadPlace[] = [];
  await someAtATime(places, mostAtOnce, async (place, index) => {
    const patience = (end - performance.now()) / Math.ceil((places.length - index) / mostAtOnce);
    all[index] = isAsWritten(place) ? { bytes: nothing, length: 0 } : await readOrNothing(place, patience);
    letGo(all);
  });
  return all;

  async function readOrNothing(place: DocumentPlace, patience: number): Promise<ReadPlace> {
    try {
      const { bytes } = await withinTime(read(place), Math.max(1, patience));
      return { bytes: bytes.length > mostBytes ? undefined : bytes, length: bytes.length };
    } catch {
      // Whoever reads that document alone is told why, and so is the log. What comes later is there the next time.
      return { bytes: nothing, length: 0 };
    }
  }
}

/** Lets go of what stands behind as many bytes as are held, in whichever order they have come. */
function letGo(all: readonly ReadPlace[]): void {
  let held = 0;
  // Those that are still to come are passed over.
  all.forEach((one) => {
    if (one.length <= mostBytes) held += one.length;
    if (held > mostHeld && one.length > 0) one.bytes = undefined;
  });
}

async function toPart(
  { place, mark }: Readonly<{ place: DocumentPlace; mark: string }>,
  bytes: Buffer | undefined,
): Promise<Found> {
  const name = `${place.name} ${place.version}`;
  if (isAsWritten(place)) return { name, absent: "it is shown as the service writes it" };
  if (bytes === undefined) return { name, absent: tooLarge };
  if (bytes.length === 0) return { name, absent: "it cannot be had now" };
  // As a text it would take its memory twice while the others are waited for: what is kept shares these bytes.
  const document = await readDocument(bytes.toString());
  if (isFault(document)) return { name, absent: document.fault };
  if (!isMergeable(document)) return { name, absent: "it is of OpenAPI 2.0" };
  return { mark, name, document, keepsComponents: place.endpoint.RemoveUnusedComponentsFromScheme === false };
}

function isAsWritten({ endpoint }: DocumentPlace): boolean {
  return endpoint.TransformByOcelotConfig === false;
}
