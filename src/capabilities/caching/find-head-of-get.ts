import type { AnswerStore } from "../../stores/answer-store.ts";
import type { Asked } from "./what-is-asked.ts";
import { findPlace } from "./find-kept-answer.ts";
import type { Freshness } from "./freshness.ts";
import type { Kept } from "./kept-answer.ts";

/** What HEAD is answered with where nobody may be asked: the head of an answer to GET that is kept, and may be given. */
export async function findHeadOfGet(
  asked: Asked,
  { store, freshness }: Readonly<{ store: AnswerStore; freshness: Freshness }>,
): Promise<Kept | undefined> {
  const get = asked.asGet();
  const { kept, varies } = await findPlace(get, store);
  if (kept === undefined || !asked.mayBeShared(varies) || freshness.judge(kept.head, get) === "ask") return undefined;
  return { head: { ...kept.head, told: kept.body.length }, body: noBytes };
}

const noBytes = Buffer.alloc(0);
