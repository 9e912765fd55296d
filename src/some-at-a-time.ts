/** Does the work on each item, on so many at a time, and tells what it came to, in the order of the items. */
export async function someAtATime<Item, Result>(
  items: readonly Item[],
  atATime: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  await Promise.all(Array.from({ length: Math.min(atATime, items.length) }, workOn));
  return results;

  async function workOn(): Promise<void> {
    for (const [index, item] of waiting) results[index] = await work(item, index);
  }
}
