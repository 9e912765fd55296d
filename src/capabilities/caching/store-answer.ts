import { randomUUID } from "node:crypto";
import type { AnswerStore } from "../../stores/answer-store.ts";
import type { Asked } from "./what-is-asked.ts";
import type { Place } from "./find-kept-answer.ts";
import { type Kept, readKept, type VaryMark } from "./kept-answer.ts";

/** Under what an answer is kept: the generation in which it was asked for, and what tells it from others besides. */
type KeepingPlace = Readonly<{
  generation: string;
  milliseconds: number;
  varies: readonly string[];
}>;

/** Stores an answer; where requests for it differ by further headers, a mark that says so stands under their common name. */
export async function storeAnswer(kept: Kept, asked: Asked, place: KeepingPlace, store: AnswerStore): Promise<void> {
  const { generation, milliseconds } = place;
  const { groups } = asked;
  const mark = place.varies.length === 0 ? undefined : await findMark(asked, place, store);
  const name = mark === undefined ? asked.name : asked.nameAmong(mark);
  await store.keep({ key: name, generation, milliseconds, groups }, kept);
  if (mark !== undefined)
    await store.keep({ key: asked.name, generation, milliseconds, groups }, { head: mark, body: noBytes });
}

/** Throws away what the service has taken back: an entry that is no answer, and is over at once, takes its place. */
export async function forgetAnswer(
  { name, generation }: Pick<Place, "name" | "generation">,
  store: AnswerStore,
): Promise<void> {
  await store.keep({ key: name, generation, milliseconds: 1 }, { head: {}, body: noBytes });
}

const noBytes = Buffer.alloc(0);

/** The mark that stands there, if it says the same: others may have kept answers under it meanwhile. */
async function findMark({ name, groups }: Asked, { varies }: KeepingPlace, store: AnswerStore): Promise<VaryMark> {
  const found = readKept((await store.find(name, groups)).kept);
  if (found !== undefined && "mark" in found && found.varies.join() === varies.join()) return found;
  return { varies, mark: randomUUID() };
}
