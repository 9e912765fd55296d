import { sleep } from "../sleep.ts";
import type { Provider } from "./provider.ts";
import { measure, restAfter } from "../rest-after-work.ts";
import type { Service } from "./service.ts";

/** Who is asked for what, and who hears of it. */
type Asking = Readonly<{
  provider: Provider;
  service: Service;
  told: (instances: readonly unknown[]) => void;
  failed: (error: unknown) => void;
}>;

const shortestPause = 250;
const longestPause = 30_000;

/**
 * Asks for the instances of a service until the signal ends it; after a failure the more seldom, the longer it lasts, and
 * after a list that took long to take in, too.
 */
export async function keepAsking(asking: Asking, signal: AbortSignal): Promise<void> {
  const { interval } = asking.provider;
  let failures = 0;
  while (!signal.aborted) {
    const outcome = await askOnce(asking, signal);
    if (!outcome.hasFailed) failures = 0;
    else failures = outcome.lists > 0 ? 1 : failures + 1;
    const wanted = failures === 0 ? interval : pauseAfter(failures);
    await sleep(Math.max(wanted, restAfter(outcome.took)), signal);
  }
}

/** How many lists were told, how long the last of them took to take in, and whether no more came. */
type Outcome = Readonly<{ lists: number; took: number; hasFailed: boolean }>;

async function askOnce({ provider, service, told, failed }: Asking, signal: AbortSignal): Promise<Outcome> {
  let lists = 0;
  let took = 0;
  try {
    await provider.find(service, take, signal);
    return lists > 0 ? { lists, took, hasFailed: false } : fail(new Error("It has told no instances."));
  } catch (error) {
    return fail(error);
  }

  /** A finder of the user's may call it in a timer, with anything: it must not throw. */
  function take(instances: unknown): void {
    if (signal.aborted) return;
    lists += 1;
    try {
      if (Array.isArray(instances)) took = measure(() => told(instances));
      else failed(new TypeError("What it has told is no list of instances."));
    } catch (error) {
      failed(error);
    }
  }

  function fail(error: unknown): Outcome {
    if (!signal.aborted) failed(error);
    return { lists, took, hasFailed: true };
  }
}

/** Twice as long after each failure, and never for all services at the same moment. */
function pauseAfter(failures: number): number {
  const longest = Math.min(shortestPause * 2 ** (failures - 1), longestPause);
  return longest * (0.5 + Math.random() / 2);
}
