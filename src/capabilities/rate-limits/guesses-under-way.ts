import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { createQueue, joinQueue, leaveQueue, type Queue, takeFirst } from "../../queue.ts";

/** Guesses at credentials that are under way: no more at a time than would be allowed if all of them were wrong. */
export type Guesses = Readonly<{
  /** Lets a request guess where fewer than so many of the name do, and nobody waits before it; tells whether it may. */
  begin: (exchange: MatchedExchange, name: string, most: number) => boolean;
  /** Resolves when it is the request's turn to try again, or when the request is over. */
  wait: (exchange: MatchedExchange, name: string) => Promise<void>;
  /** It was no guess, what came of it is counted, or the request is refused: others have their turn. */
  end: (exchange: MatchedExchange) => void;
}>;

/** A request that guesses, waits, or was called to try again. */
type Guesser = { state: "guesses" | "waits" | "called"; readonly group: Group; call: () => void };

/**
 * The requests of one name. Those that were called too early are called first. As long as one waits, another one guesses
 * or was called, and calls it in the end.
 */
type Group = Readonly<{ name: string; calledEarly: Queue<Guesser>; waiting: Queue<Guesser> }> & {
  guessing: number;
  called: number;
};

/** Makes the list of guesses that are under way in this process. */
export function createGuesses(): Guesses {
  const groups = new Map<string, Group>();
  const guessers = new Map<MatchedExchange, Guesser>();
  return { begin, wait, end };

  function begin(exchange: MatchedExchange, name: string, most: number): boolean {
    const guesser = guessers.get(exchange) ?? { state: "guesses", group: groupOf(name), call: nothing };
    const { group } = guesser;
    const isCalled = guesser.state === "called";
    if (!isCalled) callNext(group, most - group.guessing - group.called);
    if (group.guessing + (isCalled ? 0 : group.called) >= most) return false;
    if (isCalled) group.called -= 1;
    group.guessing += 1;
    guesser.state = "guesses";
    guessers.set(exchange, guesser);
    // There may be more room than before, as in a new period.
    callNext(group, most - group.guessing - group.called);
    return true;
  }

  function wait(exchange: MatchedExchange, name: string): Promise<void> {
    const guesser = guessers.get(exchange) ?? { state: "waits", group: groupOf(name), call: nothing };
    const { group } = guesser;
    const isCalled = guesser.state === "called";
    if (isCalled) group.called -= 1;
    guesser.state = "waits";
    guessers.set(exchange, guesser);
    joinQueue(isCalled ? group.calledEarly : group.waiting, guesser);
    return new Promise((resolve) => (guesser.call = resolve));
  }

  function end(exchange: MatchedExchange): void {
    const guesser = guessers.get(exchange);
    if (guesser === undefined) return;
    guessers.delete(exchange);
    leave(guesser);
    const { group } = guesser;
    if (group.guessing + group.called === 0) groups.delete(group.name);
  }

  function groupOf(name: string): Group {
    let group = groups.get(name);
    if (group === undefined) {
      group = { name, calledEarly: createQueue(), waiting: createQueue(), guessing: 0, called: 0 };
      groups.set(name, group);
    }
    return group;
  }
}

function leave(guesser: Guesser): void {
  const { group, state } = guesser;
  if (state === "guesses") {
    group.guessing -= 1;
    callNext(group, 1);
  } else if (state === "called") {
    group.called -= 1;
    // What refuses one request refuses most others: each calls two, so that none waits for all those before it.
    callNext(group, 2);
  } else {
    leaveQueue(group.calledEarly, guesser);
    leaveQueue(group.waiting, guesser);
    guesser.call();
  }
}

/** Calls so many of those that wait, in their order. */
function callNext(group: Group, count: number): void {
  for (let left = count; left > 0; left -= 1) {
    const next = takeFirst(group.calledEarly) ?? takeFirst(group.waiting);
    if (next === undefined) return;
    next.state = "called";
    group.called += 1;
    next.call();
  }
}

function nothing(): void {
  // Nobody waits yet.
}
