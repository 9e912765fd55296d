import type { ConfigRule, GlobalEntry, RouteEntry, Rulebook } from "../../config/rules/rule.ts";
import { oldKeys } from "../../schema/old-keys.ts";
import type { Report } from "../../config/problems/problem-list.ts";
import { findTransformNameFault } from "../../headers/header-name.ts";
import { quote } from "../../json/json-node.ts";
import { findMember, isUnwritten, locate, type Place } from "../../json/place.ts";
import type { ProblemCode } from "../../schema/problem-codes.ts";
import { requirementOf } from "../../identity/required-schemes.ts";
import { effectiveOptions, isRefusal, saysSomething, setsLimit, usualStatus, withoutZeros } from "./effective-limit.ts";
import type { RateLimitConfig } from "./rate-limit-keys.ts";
import { readPeriod, readWait } from "./read-period.ts";

const section = "RateLimitOptions";

/** What limits must be able to hold: one that does not is none. */
export const checkRateLimits: ConfigRule = function* checkRateLimits(rulebook) {
  const { routesAskingFor, global, report } = rulebook;
  const { place: everywhere } = global;
  const sharedFaults = new Set<CheckedKey>(faultsOf(askedGlobally(global)));
  let lacksGlobally = false;
  for (const route of routesAskingFor("RateLimitOptions")) {
    yield;
    const options = effectiveOptions(route.config, global.config);
    if (options === undefined) continue;
    const { RateLimitOptions: own = {} } = route.config;
    for (const key of faultsOf(options)) {
      if (own[key] === undefined) sharedFaults.add(key);
      else reportFault(key, own[key], route.place, report);
    }
    const isOwn = saysSomething(own);
    const isComplete = options.Limit !== undefined && options.Period !== undefined;
    if (!isComplete && isOwn) reportMissing(options, [route.place, everywhere], report);
    lacksGlobally ||= !isComplete && !isOwn;
    reportContradiction(route, options, rulebook);
  }
  if (sharedFaults.delete("StatusCode")) reportReplacedStatus(global, report);
  for (const key of sharedFaults) reportFault(key, global.config.RateLimitOptions![key], global.place, report);
  if (lacksGlobally) reportMissing(global.config.RateLimitOptions!, [everywhere], report);
};

/** Where global options are only defaults, tools write 0 for what nobody has set. */
function askedGlobally({ config: { RateLimitOptions: shared = {} } }: GlobalEntry): RateLimitConfig {
  if (shared.EnableRateLimiting === false) return {};
  return setsLimit(shared) ? shared : withoutZeros(shared);
}

/** What could not be read was reported when it was read, and is written nevertheless. */
function reportMissing(options: RateLimitConfig, places: readonly [Place, ...Place[]], report: Report): void {
  const sections = places.map((place) => locate(place, [section]));
  const isMissing = (key: CheckedKey): boolean =>
    options[key] === undefined && sections.every((written) => namesOf(key).every((name) => isUnwritten(written, name)));
  const missing = (["Limit", "Period"] as const).filter(isMissing).map(quote);
  if (missing.length === 0) return;
  const found = `${missing.join(" and ")} is nowhere written, so nobody can tell how often clients may ask`;
  const remedy = 'write it, or "EnableRateLimiting": false';
  report("limit-incomplete", sections[0]!, `${found}: ${remedy}`);
}

type Check = Readonly<{ expected: string; code?: ProblemCode; fits: (options: RateLimitConfig) => boolean }>;

const checks = {
  Limit: { expected: "1 or more requests", fits: ({ Limit: limit }) => limit! > 0 },
  AddressLimit: { expected: "1 or more requests", fits: ({ AddressLimit: limit }) => limit! > 0 },
  Period: {
    expected: 'a number above 0 with one of the units ms, s, m, h and d, such as "1.5m"',
    fits: ({ Period: period }) => readPeriod(period!) !== undefined,
  },
  Wait: {
    expected: 'a number with one of the units ms, s, m, h and d, such as "10s"',
    fits: ({ Wait: wait }) => readWait(wait!) !== undefined,
  },
  StatusCode: {
    expected: "a status from 400 to 599",
    fits: ({ StatusCode: status }) => isRefusal(status!),
  },
  ClientIdHeader: {
    expected: "the name of a header",
    code: "header-name-invalid",
    fits: ({ ClientIdHeader: name }) => findTransformNameFault(name!) === undefined,
  },
} as const satisfies Partial<Record<keyof RateLimitConfig, Check>>;

type CheckedKey = keyof typeof checks;

function faultsOf(options: RateLimitConfig): readonly CheckedKey[] {
  const entries = Object.entries(checks) as readonly [CheckedKey, Check][];
  return entries.flatMap(([key, { fits }]) => (options[key] === undefined || fits(options) ? [] : [key]));
}

function reportFault(key: CheckedKey, value: unknown, place: Place, report: Report): void {
  const { expected, code = "limit-invalid" }: Check = checks[key];
  report(code, placeOf(key, locate(place, [section])), `expected ${expected}, found ${JSON.stringify(value)}`);
}

/** Ocelot's documentation shows 999 for all routes, which many files have kept: whoever is refused is refused all the same. */
function reportReplacedStatus({ config, place }: GlobalEntry, report: Report): void {
  const found = `${config.RateLimitOptions!.StatusCode} tells no client that it was refused, so it gets ${usualStatus}`;
  const at = placeOf("StatusCode", locate(place, [section]));
  report("limit-status-replaced", at, `${found}: write ${checks.StatusCode.expected}, or nothing`);
}

/** Where the value of a key stands, under today's name or under an old one. */
function placeOf(key: CheckedKey, written: Place): Place {
  const found = namesOf(key).find((name) => findMember(written, name) !== undefined);
  return found === undefined ? written : findMember(written, found)!;
}

/** Today's name of a key, and the old one. */
function namesOf(key: CheckedKey): readonly string[] {
  const old = oldKeys.rateLimits!.find(({ today }) => today === key);
  return old === undefined ? [key] : [key, old.name];
}

function reportContradiction(
  { config, place }: Pick<RouteEntry, "config" | "place">,
  { By: by = "Header", AddressLimit: second, ClientWhitelist: free = [] }: RateLimitConfig,
  { global, report }: Rulebook,
): void {
  const found = [
    by === "Identity" && requirementOf(config, global.config) === undefined
      ? '"By": "Identity" counts by who is asking, and nobody is asked: name a scheme in "AuthenticationOptions"'
      : undefined,
    by !== "Header" && second !== undefined
      ? `"AddressLimit" stands beside "By": ${quote(by)}, and is a second limit beside that by header: remove one`
      : undefined,
    by === "Route" && free.length > 0
      ? '"ClientWhitelist" stands beside "By": "Route", which tells no clients apart: remove one'
      : undefined,
  ];
  for (const message of found) {
    if (message !== undefined) report("lock-contradictory", locate(place, [section]), message);
  }
}
