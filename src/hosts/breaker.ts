/** Whether calls go to a host: all, none, or one that tries it out. */
export type BreakerState = "closed" | "open" | "half-open";

/** Keeps calls from a host that fails. A call that it lets in is known by its pass. */
export type Breaker = Readonly<{
  /** What it was made of: another policy needs another breaker. */
  policy: string;
  state: () => BreakerState;
  /** Whether it lets in a call now; one that cannot be sent again only where nothing is to be tried out. */
  admits: (isRepeatable: boolean) => boolean;
  /** Milliseconds until it may let in a call again. */
  wait: () => number;
  enter: () => number;
  answered: (pass: number, status: number, method: string) => void;
  failed: (pass: number) => void;
  /** The call keeps no other from trying the host out: it is over, or still goes up. Tells whether it has kept others. */
  makeRoom: (pass: number) => boolean;
  /** The call has gone up, and keeps others from trying the host out again, unless another does so by now. */
  takeRoom: (pass: number) => void;
}>;
