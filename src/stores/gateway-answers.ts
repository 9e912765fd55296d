import type { AnswerStore } from "./answer-store.ts";
import type { SharedStore } from "./store-holder.ts";
import { createStoredAnswers } from "./stored-answers.ts";
import type { WatchedEntries } from "./watched-entries.ts";

/** Where a gateway keeps answers: in the store that it shares with others, where that has entries, else by itself. */
export function createGatewayAnswers({ entries }: Pick<SharedStore, "entries">, own: () => AnswerStore): AnswerStore {
  const known = new WeakMap<WatchedEntries, AnswerStore>();
  return {
    find: (key, groups) => present().find(key, groups),
    keep: (place, answer) => present().keep(place, answer),
    purge: (group) => present().purge(group),
    amount: () => present().amount?.(),
  };

  /** A reload may put another store behind the one of the gateway. */
  function present(): AnswerStore {
    const shared = entries();
    if (shared === undefined) return own();
    let answers = known.get(shared);
    if (answers === undefined) known.set(shared, (answers = createStoredAnswers(shared)));
    return answers;
  }
}
