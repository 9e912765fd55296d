import type { MatchedExchange } from "../../exchange/matched-exchange.ts";

/** Guesses at credentials that are under way: no more at a time than would be allowed if all of them were wrong. */
export type Guesses = Readonly<{
  /** Lets a request guess where fewer than so many of the same name do; tells whether it may. */
  begin: (exchange: MatchedExchange, name: string, most: number) => boolean;
  /** Resolves when another one of the name is over, or the request itself. */
  wait: (exchange: MatchedExchange, name: string) => Promise<void>;
  /** It was no guess, or what came of it is counted. */
  end: (exchange: MatchedExchange) => void;
}>;

type Group = { underWay: number; readonly waiting: Set<() => void> };

/** Makes the list of guesses that are under way in this process. */
export function createGuesses(): Guesses {
  const groups = new Map<string, Group>();
  const names = new Map<MatchedExchange, string>();
  return { begin, wait, end };

  function begin(exchange: MatchedExchange, name: string, most: number): boolean {
    const group = groupOf(name);
    if (group.underWay >= most) return false;
    group.underWay += 1;
    names.set(exchange, name);
    return true;
  }

  function wait(exchange: MatchedExchange, name: string): Promise<void> {
    const { waiting } = groupOf(name);
    return new Promise((resolve) => {
      const wake = (): void => {
        waiting.delete(wake);
        resolve();
      };
      waiting.add(wake);
      exchange.cancellation.onCancel(wake);
    });
  }

  function end(exchange: MatchedExchange): void {
    const name = names.get(exchange);
    if (name === undefined) return;
    names.delete(exchange);
    const group = groupOf(name);
    group.underWay -= 1;
    if (group.underWay === 0 && group.waiting.size === 0) groups.delete(name);
    // Whoever finds no room waits again.
    for (const wake of [...group.waiting]) wake();
  }

  function groupOf(name: string): Group {
    let group = groups.get(name);
    if (group === undefined) groups.set(name, (group = { underWay: 0, waiting: new Set() }));
    return group;
  }
}
