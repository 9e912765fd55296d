import { UpstreamError } from "../errors.ts";
import { after } from "../unattended/guarded.ts";

type GiveUp = (reason: Error) => void;

/** The time that a service has for its document: what the document waits for in between takes none of it. */
export type Patience = Readonly<{
  /** Waits for something of the service; fails when its time is over, or when somebody gives up. */
  waitFor: <Answer>(answer: Promise<Answer>) => Promise<Answer>;
  giveUp: GiveUp;
  /** Calls the listener as soon as somebody gives up, and at once where somebody has. */
  onGivenUp: (listener: GiveUp) => void;
}>;

const mostMilliseconds = 10_000;
const message = `The service did not finish its answer within ${mostMilliseconds / 1_000} seconds.`;

/** Makes the patience with one service. */
export function createPatience(): Patience {
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  // It may be given up while nothing is waited for.
  givenUp.catch(() => undefined);
  const listeners: GiveUp[] = [reject];
  let left = mostMilliseconds;
  let givenReason: Error | undefined;
  return { waitFor, giveUp, onGivenUp };

  function onGivenUp(listener: GiveUp): void {
    if (givenReason === undefined) listeners.push(listener);
    else listener(givenReason);
  }

  function giveUp(reason: Error): void {
    if (givenReason !== undefined) return;
    givenReason = reason;
    listeners.splice(0).forEach((tell) => tell(reason));
  }

  async function waitFor<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const began = performance.now();
    const timer = after(left, () => giveUp(new UpstreamError("answer-timeout", message)));
    try {
      return await Promise.race([answer, givenUp]);
    } finally {
      clearTimeout(timer);
      left -= performance.now() - began;
    }
  }
}
