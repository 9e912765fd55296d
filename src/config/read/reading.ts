import type { SectionName } from "../sections.ts";
import type { Place } from "./place.ts";
import type { Report } from "../problems/problem-list.ts";

/** What everything that reads a configuration shares. */
export type Reading = Readonly<{
  report: Report;
  /** Whether the user knows that a key of Ocelot does nothing here. */
  isAcknowledged(name: string): boolean;
  /** Metadata found where old versions kept it. */
  oldMetadata: Place[];
  /** What asks for a way to recognise clients that stands elsewhere. */
  schemes: { isNamed: boolean; needed: Readonly<{ place: Place; level: SectionName }>[] };
}>;

/** Starts reading. */
export function createReading(report: Report, acknowledgements: readonly string[]): Reading {
  const acknowledged = new Set(acknowledgements.map((name) => name.trim().toLowerCase()));
  return {
    report,
    isAcknowledged: (name) => acknowledged.has(name.toLowerCase()),
    oldMetadata: [],
    schemes: { isNamed: false, needed: [] },
  };
}
