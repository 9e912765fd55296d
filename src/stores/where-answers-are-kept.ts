import type { AnswerStore } from "./answer-store.ts";
import type { SharedStore } from "./store-holder.ts";
import { createStoredAnswers } from "./answers-in-shared-store.ts";
import type { WatchedEntries } from "./watched-entries.ts";

type Present = Readonly<{ answers: AnswerStore; shared: WatchedEntries | undefined }>;

/** Where a gateway keeps answers: in the store that it shares with others, where that has entries, else by itself. */
export function createGatewayAnswers({ entries }: Pick<SharedStore, "entries">, own: () => AnswerStore): AnswerStore {
  let known: Present | undefined;
  return {
    find: (key, groups) => present().find(key, groups),
    keep: (place, answer) => present().keep(place, answer),
    purge: (group) => present().purge(group),
    outdate: (groups) => present().outdate(groups),
    endAll: () => present().endAll(),
    amount: () => present().amount?.(),
  };

  /** A reload may put another store behind the one of the gateway: what has changed before was not noted there. */
  function present(): AnswerStore {
    const shared = entries();
    if (known !== undefined && known.shared === shared) return known.answers;
    const answers = shared === undefined ? own() : createStoredAnswers(shared);
    if (known !== undefined) answers.endAll();
    known = { answers, shared };
    return answers;
  }
}
