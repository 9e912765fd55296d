import type { Place } from "../../json/place.ts";
import type { Report } from "../problems/problem-list.ts";

/** What everything that reads a configuration shares. */
export type Reading = Readonly<{
  report: Report;
  /** Whether the user knows that a key of Ocelot does nothing here. */
  isAcknowledged(name: string): boolean;
  /** Metadata found where old versions kept it. */
  oldMetadata: Place[];
}>;

/** Starts reading. */
export function createReading(report: Report, acknowledgements: readonly string[]): Reading {
  const acknowledged = new Set(acknowledgements.map((name) => name.trim().toLowerCase()));
  return {
    report,
    isAcknowledged: (name) => acknowledged.has(name.toLowerCase()),
    oldMetadata: [],
  };
}
