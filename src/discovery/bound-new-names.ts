import { createBudget } from "../budget.ts";
import type { WatchedService } from "./watched-service.ts";

/** Names that are asked for and not answered yet. */
type BoundedNames = Readonly<{
  get: (key: string) => WatchedService | undefined;
  /** Asks for one more; false where there is no room for it. */
  add: (key: string, watched: WatchedService) => boolean;
  clear: () => void;
}>;

// Clients make up names: these take no place of a service that is there, and the registry is not to suffer from them.
const mostUnanswered = 200;
const mostPerSecond = 100;

/** Asks for names for the first time; `answered` is called once there is an answer, or will be none in time. */
export function createBoundedNames(answered: (key: string, watched: WatchedService) => void): BoundedNames {
  const waiting = new Map<string, WatchedService>();
  const budget = createBudget(mostPerSecond, 1_000);
  return { get: (key) => waiting.get(key), add, clear: () => waiting.clear() };

  function add(key: string, watched: WatchedService): boolean {
    if (!budget.isLeft() || !hasRoom()) return false;
    budget.spend();
    waiting.set(key, watched);
    void wait(key, watched);
    return true;
  }

  /** A name of which nothing but failures is known makes room for another one. */
  function hasRoom(): boolean {
    if (waiting.size < mostUnanswered) return true;
    const failing = [...waiting].find(([, { isFailing }]) => isFailing());
    if (failing !== undefined) end(...failing);
    return failing !== undefined;
  }

  async function wait(key: string, watched: WatchedService): Promise<void> {
    try {
      await watched.ready();
    } catch {
      // It has told nothing, and is judged by that.
    }
    end(key, watched);
  }

  function end(key: string, watched: WatchedService): void {
    if (waiting.get(key) !== watched) return;
    waiting.delete(key);
    answered(key, watched);
  }
}
