import { measureInSlices, restAfter } from "../../rest-after-work.ts";
import type { Steps } from "../../time-slices.ts";
import { reportDefect } from "../../unattended/defects.ts";

/** Looks at all lists of hosts, one after the other: requests are served in between, and most of the time is left to them. */
export type Looks = Readonly<{
  /** How many have begun. */
  count: () => number;
  /** Begins a look; one under way ends. */
  begin: () => void;
  /** Whether none is under way, and there was a rest after the last one. */
  mayBegin: () => boolean;
  end: () => void;
}>;

/** Makes them; each hears how many there were by then. */
export function createLooks(look: (count: number) => Steps<void>): Looks {
  let count = 0;
  let present: Steps<void> | undefined;
  let restedAt = -Infinity;
  return { count: () => count, begin, mayBegin: () => present === undefined && performance.now() >= restedAt, end };

  function begin(): void {
    end();
    const steps = (present = look((count += 1)));
    void measureInSlices(steps).then(({ took }) => {
      if (present !== steps) return;
      present = undefined;
      restedAt = performance.now() + restAfter(took);
    }, reportDefect);
  }

  function end(): void {
    present?.return();
    present = undefined;
  }
}
