import { addNewest, createByAge, removeAged } from "../by-age.ts";

/** What came of a name: the provider has no instances of it, or nobody can tell at the moment. */
export type Outcome = "unknown" | "unavailable";

/** What came of names that led to no service. */
type Outcomes = Readonly<{
  of: (key: string) => Outcome | undefined;
  remember: (key: string, outcome: Outcome) => void;
}>;

const rememberedMilliseconds = 10_000;
const mostRemembered = 2_000;

/** Remembers the last names that led to no service, each for a short time, in which nobody is asked for it again. */
export function createOutcomes(): Outcomes {
  const known = createByAge<Readonly<{ outcome: Outcome; until: number }>>();
  return {
    of(key) {
      const value = known.entries.get(key)?.value;
      return value !== undefined && value.until > performance.now() ? value.outcome : undefined;
    },
    remember(key, outcome) {
      addNewest(known, key, { outcome, until: performance.now() + rememberedMilliseconds });
      if (known.entries.size > mostRemembered) removeAged(known, known.oldest!.key);
    },
  };
}
