import { type AnswerStore, unknownGeneration } from "../../stores/answer-store.ts";
import type { Asked } from "./asked.ts";
import { type Kept, readKept } from "./kept-answer.ts";

/** Where the answer to a request stands, or would stand. */
export type Place = Readonly<{
  name: string;
  generation: string;
  kept: Kept | undefined;
  /** The further headers by which answers to such requests are told apart. */
  varies: readonly string[];
}>;

/** Looks for the answer to a request: under its name, and where that says by what answers differ, among those. */
export async function findPlace(asked: Asked, groups: readonly string[], store: AnswerStore): Promise<Place> {
  if (!asked.isSure) return { name: asked.name, generation: unknownGeneration, kept: undefined, varies: none };
  const { kept: first, generation } = await store.find(asked.name, groups);
  const found = readKept(first);
  if (found === undefined) return { name: asked.name, generation, kept: undefined, varies: none };
  if ("body" in found) return { name: asked.name, generation, kept: found, varies: none };
  const name = asked.nameAmong(found);
  const { kept: second } = await store.find(name, groups);
  const kept = readKept(second);
  return { name, generation, kept: kept !== undefined && "body" in kept ? kept : undefined, varies: found.varies };
}

/** The name of a call for an answer: what was asked for before a purge is not for those who ask behind it. */
export function flightNameOf({ name, generation }: Pick<Place, "name" | "generation">): string {
  return `${generation} ${name}`;
}

const none: readonly string[] = [];
