import {
  type AnswerPlace,
  type AnswerStore,
  type FoundAnswer,
  type KeptAnswer,
  unknownGeneration,
} from "./answer-store.ts";
import type { WatchedEntries } from "./watched-entries.ts";

const lineEnd = 10;

/** Keeps answers as entries of a store that others share: a line of JSON for the head, and the bytes of the body behind it. */
export function createStoredAnswers(entries: WatchedEntries): AnswerStore {
  return { find, keep, purge };

  async function find(key: string, groups: readonly string[]): Promise<FoundAnswer> {
    const [first, ...numbers] = await Promise.all([key, ...groups].map(async (name) => entries.get(name)));
    // A number that cannot be had is not one that is not there: what was purged must not come back.
    if (first === undefined || numbers.includes(undefined)) return { kept: undefined, generation: unknownGeneration };
    const generation = numbers.map((number) => number?.entry?.toString("latin1") ?? "0").join();
    const found = first.entry && readEntry(first.entry);
    return { kept: found?.generation === generation ? found : undefined, generation };
  }

  function keep({ key, generation, milliseconds }: AnswerPlace, { head, body }: KeptAnswer): void {
    if (generation === unknownGeneration) return;
    const line = Buffer.from(`${JSON.stringify({ generation, head })}\n`);
    entries.set(key, Buffer.concat([line, body]), milliseconds);
  }

  async function purge(group: string): Promise<void> {
    if ((await entries.increase(group)) === undefined) throw new Error("The store is away: nothing was thrown away.");
  }
}

/** What does not parse is nothing. */
function readEntry(entry: Buffer): (KeptAnswer & Readonly<{ generation: unknown }>) | undefined {
  const end = entry.indexOf(lineEnd);
  try {
    const { generation, head } = JSON.parse(entry.toString("utf8", 0, end)) as Partial<Record<string, unknown>>;
    if (typeof head !== "object" || head === null) return undefined;
    return { generation, head, body: entry.subarray(end + 1) };
  } catch {
    return undefined;
  }
}
