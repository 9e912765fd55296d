/** Decides whether something may be done once more. */
type Budget = Readonly<{ isLeft: () => boolean; spend: () => void }>;

/** Allows so many within any time of so many milliseconds. */
export function createBudget(most: number, milliseconds: number): Budget {
  const recent: number[] = [];
  return {
    isLeft() {
      while (recent.length > 0 && performance.now() - recent[0]! > milliseconds) recent.shift();
      return recent.length < most;
    },
    spend: () => void recent.push(performance.now()),
  };
}
