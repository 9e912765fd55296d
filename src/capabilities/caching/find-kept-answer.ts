import type { AnswerStore, FoundAnswer } from "../../stores/answer-store.ts";
import type { Asked } from "./what-is-asked.ts";
import { type Kept, readKept, type VaryMark } from "./kept-answer.ts";

/** Where the answer to a request stands, or would stand. */
export type Place = Readonly<{
  name: string;
  generation: string;
  kept: Kept | undefined;
  /** The further headers by which answers to such requests are told apart. */
  varies: readonly string[];
}>;

/** Looks for the answer to a request: under its name, and where that says by what answers differ, among those. */
export function findPlace(asked: Asked, store: AnswerStore): Place | Promise<Place> {
  const { name, groups } = asked;
  const found = store.find(name, groups);
  return found instanceof Promise ? found.then(readFirst) : readFirst(found);

  function readFirst({ kept: first, generation }: FoundAnswer): Place | Promise<Place> {
    const found = readKept(first);
    if (found === undefined || "body" in found) return { name, generation, kept: found, varies: none };
    return findAmong(found, generation);
  }

  async function findAmong(mark: VaryMark, generation: string): Promise<Place> {
    const among = asked.nameAmong(mark);
    const { kept: second } = await store.find(among, groups);
    const kept = readKept(second);
    const isAnswer = kept !== undefined && "body" in kept;
    return { name: among, generation, kept: isAnswer ? kept : undefined, varies: mark.varies };
  }
}

const none: readonly string[] = [];
