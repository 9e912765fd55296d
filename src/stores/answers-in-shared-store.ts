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
  let ends = 0;
  return { find, keep, purge, outdate, endAll };

  async function find(key: string, groups: readonly string[]): Promise<FoundAnswer> {
    const [first, ...numbers] = await Promise.all([key, ...groups].map(async (name) => entries.get(name)));
    // A number that cannot be had is not one that is not there: what was purged must not come back.
    const sums = numbers.map((number) => number && sumIn(number.entry));
    if (first === undefined || sums.includes(undefined))
      return { kept: undefined, generation: `${unknownGeneration}${ends}` };
    const generation = sums.join();
    const found = readEntry(first.entry);
    return { kept: found?.generation === generation ? found : undefined, generation };
  }

  function keep({ key, generation, milliseconds }: AnswerPlace, { head, body }: KeptAnswer): void {
    if (generation.startsWith(unknownGeneration)) return;
    const line = Buffer.from(`${JSON.stringify({ generation, length: body.length, head })}\n`);
    entries.set(key, Buffer.concat([line, body]), milliseconds);
  }

  async function purge(group: string): Promise<void> {
    if ((await entries.increase(group)) === undefined) throw new Error("The store is away: nothing was thrown away.");
  }

  async function outdate(groups: readonly string[]): Promise<void> {
    const numbers = await Promise.all(groups.map(async (group) => entries.increase(group)));
    if (numbers.includes(undefined)) endAll();
  }

  /** Who asks behind it waits for no call that was made before, also while the store is away. */
  function endAll(): void {
    ends += 1;
    entries.endAll();
  }
}

/** How often a group was ended; undefined where a store gives what tells no number. */
function sumIn(entry: unknown): string | undefined {
  if (entry === undefined || entry === null) return "0";
  if (Buffer.isBuffer(entry)) return entry.toString("latin1");
  return typeof entry === "number" || typeof entry === "string" ? String(entry) : undefined;
}

/** What does not parse, or has lost some of its bytes, is nothing. */
function readEntry(entry: unknown): (KeptAnswer & Readonly<{ generation: unknown }>) | undefined {
  if (!Buffer.isBuffer(entry)) return undefined;
  const end = entry.indexOf(lineEnd);
  try {
    const line = JSON.parse(entry.toString("utf8", 0, end)) as Partial<Record<string, unknown>>;
    const { generation, length, head } = line;
    const body = entry.subarray(end + 1);
    return typeof head === "object" && head !== null && body.length === length ? { generation, head, body } : undefined;
  } catch {
    return undefined;
  }
}
