import { availableParallelism } from "node:os";
import type { LoadOptions } from "../../config/files/read-sources.ts";
import type { TrustProxy } from "../../options/options.ts";
import { type CommandIo, UsageError } from "../command.ts";
import { type ConfigValues, loadOptionsOf } from "../config-options.ts";
import { readRedisUrl } from "./read-redis-url.ts";

/** The paths at which health checks are answered. */
export type HealthPaths = Readonly<{ liveness: string; readiness: string }>;

/** What `waymark serve` was told, checked. */
export type ServeSettings = Readonly<{
  paths: readonly string[];
  load: LoadOptions;
  port: number;
  host: string;
  watch: boolean;
  workers: number;
  /** Where the Redis is that goes before the one of the configuration. */
  redis: string | undefined;
  engine: "http-proxy-middleware" | "undici";
  metadata: "header" | "json" | undefined;
  health: HealthPaths | undefined;
  /** Seconds. */
  drainDelay: number;
  /** Seconds. */
  grace: number;
  trustProxy: TrustProxy | undefined;
  inspect: boolean;
  /** How the OpenAPI documents are shown; undefined for not at all. */
  openapi: Readonly<{ allowAnonymous: boolean }> | undefined;
  /** Tells something to whoever starts the service. */
  tell: (text: string) => void;
  log: "requests" | "events" | "none";
  logIdentity: boolean;
}>;

/** The options as they are parsed. */
type ServeValues = Readonly<{
  port: string;
  host: string;
  watch: boolean | undefined;
  workers: string;
  redis: string | undefined;
  engine: ServeSettings["engine"];
  metadata: ServeSettings["metadata"];
  health: string | undefined;
  "drain-delay": string | undefined;
  grace: string;
  "trust-proxy": string | undefined;
  inspect: boolean | undefined;
  openapi: boolean | undefined;
  "openapi-anonymous": boolean | undefined;
  log: ServeSettings["log"];
  "log-identity": boolean | undefined;
}> &
  ConfigValues;

const highestPort = 65_535;
const mostWorkers = 1_024;
const longestSeconds = 86_400;

/**
 * How long an answer may stand still, unless a file says it: whoever serves does not know the clients, and one that takes
 * nothing of its answer would hold its place for ever.
 */
export const standardDownloadSeconds = 60;

/** Seconds between the end of readiness and the first refusal. */
export const standardDrainDelay = 5;

/** Checks what `waymark serve` was told; throws a {@link UsageError} that says what was expected. */
export function readServeSettings(values: ServeValues, paths: readonly string[], io: CommandIo): ServeSettings {
  const { host, engine, metadata, log, watch = false, inspect = false } = values;
  const workers =
    values.workers === "auto" ? availableParallelism() : readInteger("workers", values.workers, 1, mostWorkers);
  if (values["drain-delay"] !== undefined && values.health === undefined) {
    throw new UsageError("--drain-delay is the time that readiness fails before requests are: it needs --health.");
  }
  return {
    paths,
    load: loadOptionsOf(values, io),
    port: readInteger("port", values.port, 0, highestPort),
    host,
    watch,
    workers,
    redis: readRedisUrl(values, io),
    engine,
    metadata,
    health: readHealthPaths(values.health),
    drainDelay: readSeconds("drain-delay", values["drain-delay"] ?? String(standardDrainDelay)),
    grace: readSeconds("grace", values.grace),
    trustProxy: readTrust(values["trust-proxy"]),
    inspect,
    openapi: readOpenApi(values),
    tell: io.complain,
    log,
    logIdentity: readLogIdentity(values),
  };
}

function readLogIdentity({ log, "log-identity": isAsked = false }: ServeValues): boolean {
  if (!isAsked || log === "requests") return isAsked;
  throw new UsageError("--log-identity says who was let in with each request: it needs --log requests.");
}

function readInteger(name: string, text: string, least: number, most: number): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  const other = name === "workers" ? ", or auto" : "";
  throw new UsageError(
    `--${name} is a whole number from ${least} to ${most}${other}, received ${JSON.stringify(text)}.`,
  );
}

function readSeconds(name: string, text: string): number {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (number <= longestSeconds) return number;
  throw new UsageError(`--${name} is a number of seconds up to ${longestSeconds}, received ${JSON.stringify(text)}.`);
}

function readHealthPaths(text: string | undefined): HealthPaths | undefined {
  if (text === undefined) return undefined;
  const [liveness, readiness, ...more] = text.split(",");
  const isPair = [liveness, readiness].every((path) => path !== undefined && /^\/[^\s?#]*$/.test(path));
  if (isPair && more.length === 0 && liveness !== readiness) return { liveness: liveness!, readiness: readiness! };
  throw new UsageError(`--health takes two paths such as /healthz,/readyz, received ${JSON.stringify(text)}.`);
}

function readTrust(text: string | undefined): TrustProxy | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : text;
}

/** Who may read them matters only where they are shown. */
function readOpenApi({ openapi, "openapi-anonymous": allowAnonymous = false }: ServeValues): ServeSettings["openapi"] {
  if (openapi === true) return { allowAnonymous };
  if (allowAnonymous) throw new UsageError("--openapi-anonymous opens what --openapi shows: add --openapi.");
  return undefined;
}
