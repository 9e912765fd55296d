import type { Place } from "../place.ts";
import type { Report } from "../problem-list.ts";
import type { GlobalConfig, RouteConfig } from "../schema.ts";
import type { RouteTemplates } from "./template-texts.ts";

/** What could be read of an object that may still lack what it needs. */
export type Unchecked<Config> = Readonly<Partial<Config>>;

/** A route that was read, and where it stands. */
export type RouteEntry = Readonly<{ index: number; place: Place; config: Unchecked<RouteConfig> }>;

/** A route as it is looked at, with its templates. */
export type OpenRoute = RouteEntry & Readonly<{ templates: RouteTemplates }>;

/** The global part, and where it stands. */
export type GlobalEntry = Readonly<{ place: Place; config: Unchecked<GlobalConfig> }>;

/** What rules about one route may look at besides it. */
export type Surroundings = Readonly<{ global: GlobalEntry; report: Report }>;

/** All that was read. */
export type Rulebook = Surroundings & Readonly<{ routes: readonly RouteEntry[] }>;

/** A rule about one route. */
export type RouteRule = (route: OpenRoute, surroundings: Surroundings) => void;

/** A rule about the whole configuration. */
export type ConfigRule = (rulebook: Rulebook) => void;
