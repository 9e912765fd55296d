import type { Place } from "../place.ts";
import type { Report } from "../problem-list.ts";
import type { GlobalConfig, RouteConfig } from "../schema.ts";
import type { RouteTemplates } from "./template-texts.ts";

/** What could be read of an object that may still lack what it needs. */
export type Unchecked<Config> = Readonly<Partial<Config>>;

/** A route that was read, and where it stands. */
export type RouteEntry = Readonly<{
  index: number;
  place: Place;
  config: Unchecked<RouteConfig>;
  templates: RouteTemplates;
}>;

/** The global part, and where it stands. */
export type GlobalEntry = Readonly<{ place: Place; config: Unchecked<GlobalConfig> }>;

/** All that rules may look at. */
export type Rulebook = Readonly<{ routes: readonly RouteEntry[]; global: GlobalEntry; report: Report }>;

/** A rule about one route. */
export type RouteRule = (route: RouteEntry, rulebook: Rulebook) => void;

/** A rule about the whole configuration. */
export type ConfigRule = (rulebook: Rulebook) => void;
