import type { ConfigRule } from "../../config/rules/rule.ts";
import { oldKeys } from "../../schema/old-keys.ts";
import type { Report } from "../../config/problems/problem-list.ts";
import { findMember, locate, type Place } from "../../json/place.ts";
import { asksForBreaker, effectiveQuality } from "./effective-quality.ts";
import type { QualityConfig } from "./quality-keys.ts";

const section = "QoSOptions";

/** What breakers must be able to work with; where there is none, zeros of tools say nothing. */
export const checkQuality: ConfigRule = function* checkQuality({ routesAskingFor, global, report }) {
  const { QoSOptions: shared = {} } = global.config;
  const sharedFaults = new Set<CheckedKey>(faultsOf(shared));
  for (const { config, place } of routesAskingFor("QoSOptions")) {
    yield;
    const { QoSOptions: own = {} } = config;
    for (const key of faultsOf(effectiveQuality(config, global.config))) {
      if (own[key] === undefined) sharedFaults.add(key);
      else reportFault(key, own[key], place, report);
    }
  }
  for (const key of sharedFaults) reportFault(key, shared[key]!, global.place, report);
};

type Check = Readonly<{ expected: string; fits: (value: number) => boolean }>;

const milliseconds: Check = { expected: "1 or more milliseconds", fits: (value) => value > 0 };

const checks = {
  MinimumThroughput: { expected: "1 or more calls", fits: (value) => value > 0 },
  FailureRatio: { expected: "a share above 0 and up to 1, such as 0.5", fits: (value) => value > 0 && value <= 1 },
  SamplingDuration: milliseconds,
  BreakDuration: milliseconds,
} as const satisfies Partial<Record<keyof QualityConfig, Check>>;

type CheckedKey = keyof typeof checks;

function faultsOf(options: QualityConfig): readonly CheckedKey[] {
  const isAsked = asksForBreaker(options);
  return (Object.keys(checks) as CheckedKey[]).filter((key) => {
    const value = options[key];
    return value !== undefined && (isAsked || value < 0) && !checks[key].fits(value);
  });
}

function reportFault(key: CheckedKey, value: number, place: Place, report: Report): void {
  const written = locate(place, [section]);
  const old = oldKeys.quality!.find(({ today }) => today === key);
  const at = findMember(written, key) ?? (old && findMember(written, old.name)) ?? written;
  report("breaker-invalid", at, `expected ${checks[key].expected}, found ${value}: correct or remove it`);
}
