import type { Logger } from "../logging/logger.ts";
import { withinTime } from "../unattended/within-time.ts";
import { isPromise } from "../when-rejected.ts";
import { memoryStore } from "./memory-store.ts";
import type { Store, Taken, Taking } from "./store.ts";

const longestWait = 50;
const probePause = 1_000;

type Answer = Taken | Promise<Taken>;

/**
 * Makes a store that counts by itself while another one is away: when that fails, or takes too long. One request in a
 * second finds out whether it is back; whoever is refused by then stays so until the time he was told.
 */
export function withFallback(store: Store, logger: Logger): Store {
  let own: Store | undefined;
  let isAway = false;
  let lastTried = -Infinity;

  return {
    take(taking) {
      const refused = own?.take({ ...taking, amount: 0 });
      if (refused !== undefined && !isPromise(refused) && refused.refusedFor !== undefined) return refused;
      return isAway && performance.now() - lastTried < probePause ? takeHere(taking) : ask(taking);
    },
  };

  function ask(taking: Taking): Answer {
    lastTried = performance.now();
    try {
      const answer: unknown = store.take(taking);
      if (!isPromise(answer)) return noteThere(answer);
      return withinTime(answer, longestWait)
        .then(noteThere)
        .catch((error: unknown) => noteAway(error, taking));
    } catch (error) {
      return noteAway(error, taking);
    }
  }

  function noteThere(answer: unknown): Taken {
    if (!isTaken(answer)) throw new TypeError("It gave something else than { remaining, refusedFor, resetsIn }.");
    if (isAway) logger.info({}, "The store is back.");
    isAway = false;
    return answer;
  }

  function noteAway(error: unknown, taking: Taking): Answer {
    const found = "The store failed: until it is back, each process counts for itself.";
    if (!isAway) logger.warn({ err: error }, found);
    isAway = true;
    return takeHere(taking);
  }

  function takeHere(taking: Taking): Answer {
    own ??= memoryStore();
    return own.take(taking);
  }
}

function isTaken(answer: unknown): answer is Taken {
  const { remaining, refusedFor, resetsIn } = (answer ?? {}) as Partial<Taken>;
  const isRefusal = refusedFor === undefined || typeof refusedFor === "number";
  return typeof remaining === "number" && isRefusal && typeof resetsIn === "number";
}
