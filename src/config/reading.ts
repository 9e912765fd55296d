import type { Place } from "./place.ts";
import type { Report } from "./problem-list.ts";

/** What everything that reads a configuration shares. */
export type Reading = Readonly<{
  report: Report;
  /** Notes a key that is known but does nothing; all places of one name become one warning. */
  noteUnsupported(name: string, place: Place, advice: string): void;
  /** Whether the user knows that a key of Ocelot does nothing here. */
  isAcknowledged(name: string): boolean;
  /** Metadata found where old versions kept it. */
  oldMetadata: Place[];
}>;

type Unsupported = { place: Place; advice: string; more: number };

/** Starts reading; `finish` reports what was gathered by name. */
export function createReading(
  report: Report,
  acknowledgements: readonly string[],
): Readonly<{ reading: Reading; finish(): void }> {
  const unsupported = new Map<string, Unsupported>();
  const acknowledged = new Set(acknowledgements.map((name) => name.trim().toLowerCase()));

  const reading: Reading = {
    report,
    noteUnsupported(name, place, advice) {
      const noted = unsupported.get(name);
      if (noted === undefined) unsupported.set(name, { place, advice, more: 0 });
      else noted.more += 1;
    },
    isAcknowledged: (name) => acknowledged.has(name.toLowerCase()),
    oldMetadata: [],
  };

  function finish(): void {
    for (const [name, { place, advice, more }] of unsupported) {
      const places = more === 0 ? "" : ` (${more + 1} places)`;
      report("key-unsupported", place, `${JSON.stringify(name)} has no effect in this gateway${places}: ${advice}`);
    }
  }

  return { reading, finish };
}
