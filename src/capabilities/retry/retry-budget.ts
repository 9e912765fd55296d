/** Decides whether one request more may be sent once more. */
type RetryBudget = Readonly<{
  /** Counts a request of a client. */
  note: () => void;
  /** Whether a retry is left. */
  isLeft: () => boolean;
  /** Takes a retry out of the budget. */
  spend: () => void;
}>;

type Second = { at: number; requests: number; retries: number };

/** The share of requests that may be sent once more, where a route says nothing else. */
export const usualShare = 0.2;

const seconds = 10;
const always = 3;

/**
 * Lets a share of the requests of the last ten seconds be sent once more, and three of them always. When all hosts fail,
 * retries would otherwise double what they have to bear.
 */
export function createRetryBudget(share: number): RetryBudget {
  const ring: Second[] = Array.from({ length: seconds }, () => ({ at: -1, requests: 0, retries: 0 }));
  return { note, isLeft, spend };

  function note(): void {
    present().requests += 1;
  }

  function isLeft(): boolean {
    const now = present();
    const recent = ring.filter(({ at }) => at > now.at - seconds);
    const requests = recent.reduce((sum, second) => sum + second.requests, 0);
    const retries = recent.reduce((sum, second) => sum + second.retries, 0);
    return retries < Math.max(always, Math.floor(requests * share));
  }

  function spend(): void {
    present().retries += 1;
  }

  function present(): Second {
    const at = Math.floor(performance.now() / 1_000);
    const second = ring[at % seconds]!;
    if (second.at !== at) Object.assign(second, { at, requests: 0, retries: 0 });
    return second;
  }
}
