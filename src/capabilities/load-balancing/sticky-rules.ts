import type { ConfigRule } from "../../config/rules/rule.ts";
import { quote } from "../../json/json-node.ts";
import { locate, type Place } from "../../json/place.ts";
import { effectiveSection } from "../../schema/effective-section.ts";
import type { LoadBalancerConfig } from "./load-balancing-keys.ts";

const section = "LoadBalancerOptions";
const cookieName = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;

type Check = Readonly<{ expected: string; fits: (options: LoadBalancerConfig) => boolean }>;

const checks = {
  Key: {
    expected: "the name of a cookie, without blanks and separators",
    fits: ({ Key: key }) => cookieName.test(key!),
  },
  Expiry: {
    expected: "milliseconds, or -1 for no end",
    fits: ({ Expiry: expiry }) => expiry! >= -1,
  },
} as const satisfies Partial<Record<keyof LoadBalancerConfig, Check>>;

type CheckedKey = keyof typeof checks;

/** What sticky sessions cannot work with; for other balancers these keys mean nothing. */
export const checkStickySessions: ConfigRule = function* checkStickySessions({ routesAskingFor, global, report }) {
  const shared = global.config.LoadBalancerOptions;
  const sharedFaults = new Set<CheckedKey>();
  for (const { config, place } of routesAskingFor("LoadBalancerOptions")) {
    yield;
    const options = effectiveSection(config.LoadBalancerOptions, shared, config.Key);
    if (options?.Type !== "CookieStickySessions") continue;
    for (const key of Object.keys(checks) as CheckedKey[]) {
      if (options[key] === undefined || checks[key].fits(options)) continue;
      if (config.LoadBalancerOptions?.[key] === undefined) sharedFaults.add(key);
      else tell(key, options[key], place);
    }
  }
  for (const key of sharedFaults) tell(key, shared![key], global.place);

  function tell(key: CheckedKey, value: unknown, place: Place): void {
    const found = typeof value === "string" ? quote(value) : String(value);
    report(
      "sticky-sessions-invalid",
      locate(place, [section, key]),
      `expected ${checks[key].expected}, found ${found}`,
    );
  }
};
