import { createRequire } from "node:module";
import type { LRUCache } from "lru-cache";
import { longestJoined } from "../bodies/responses/end-message.ts";
import { createRepeatedBody } from "../bodies/whole-body.ts";
import {
  type AnswerPlace,
  type AnswerStore,
  type FoundAnswer,
  groupOfAll,
  type KeptAmount,
  type KeptAnswer,
} from "./answer-store.ts";

/** How much is kept, and the clock in milliseconds, which never goes back. */
type MemoryAnswersSettings = Readonly<{ bytes: number; now: () => number }>;

type Remembered = Readonly<{ answer: KeptAnswer; endsAt: number }> & Pick<AnswerPlace, "generation" | "groups">;

const load = createRequire(import.meta.url);

// What an entry takes besides its texts and bytes: objects, and its place in the table.
const entryBytes = 1_000;
// Of a head that is an object, each character of its text takes about as much.
const bytesPerCharacter = 4;

/** Keeps answers in the memory of this process; those that were least used leave first. */
export function createMemoryAnswers({ bytes, now }: MemoryAnswersSettings): AnswerStore {
  // Only who caches pays for it.
  const { LRUCache: Table } = load("lru-cache") as { LRUCache: typeof LRUCache };
  const remembered = new Table<string, Remembered>({ maxSize: bytes, sizeCalculation: sizeOf });
  const generations = new Map<string, number>();

  return { find, keep, purge, outdate, endAll: () => purge(groupOfAll), amount };

  function find(key: string, groups: readonly string[]): FoundAnswer {
    const generation = generationOf(groups);
    const found = remembered.get(key);
    if (found === undefined) return { kept: undefined, generation };
    if (found.generation === generation && found.endsAt > now()) return { kept: found.answer, generation };
    remembered.delete(key);
    return { kept: undefined, generation };
  }

  /** What is over already must not take the place of what came behind it. */
  function keep({ key, generation, milliseconds, groups }: AnswerPlace, answer: KeptAnswer): void {
    if (groups !== undefined && generation !== generationOf(groups)) return;
    const { head, body } = answer;
    const given = { head, body, whole: createRepeatedBody(body) };
    remembered.set(key, { answer: given, generation, groups, endsAt: now() + milliseconds });
  }

  /** Calls that are under way keep what they bring in the generation that is over. What is there already makes room at once. */
  function purge(group: string): void {
    outdate([group]);
    for (const [key, { groups }] of remembered) if (groups?.includes(group)) remembered.delete(key);
  }

  /** To look for what is over would take longer than it is worth: it leaves when it is asked for, or was not for long. */
  function outdate(groups: readonly string[]): void {
    for (const group of groups) generations.set(group, (generations.get(group) ?? 0) + 1);
  }

  function amount(): KeptAmount {
    return { entries: remembered.size, bytes: remembered.calculatedSize, mostBytes: bytes };
  }

  /** Numbers that only grow have another sum as soon as one of them has grown. */
  function generationOf(groups: readonly string[]): string {
    if (generations.size === 0) return firstGeneration;
    return String(groups.reduce((sum, group) => sum + (generations.get(group) ?? 0), 0));
  }
}

const firstGeneration = "0";

/** A short body is there as bytes and, once it was given, as a text. */
function sizeOf({ answer: { head, body } }: Remembered, key: string): number {
  const bodyBytes = body.length <= longestJoined ? body.length * 2 : body.length;
  return entryBytes + key.length + JSON.stringify(head).length * bytesPerCharacter + bodyBytes;
}
