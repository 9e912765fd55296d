import { tellAggregate } from "../aggregates/tell-aggregate.ts";
import { tellHttpHandler } from "../capabilities/http-handler/tell-http-handler.ts";
import { tellRetry } from "../capabilities/retry/tell-retry.ts";
import type { Telling } from "../capabilities/telling.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import { tellProvider } from "../discovery/tell-provider.ts";
import { pipeline } from "../pipeline.ts";
import { maskValues } from "../secrets/redact.ts";
import type { Entry } from "./entries.ts";
import { tellTimeLimit } from "./tell-time-limit.ts";
import { tellWritten } from "./tell-written.ts";

/** One thing that a route asks for, in words. */
export type Policy = Readonly<{
  /** By what programs find it, such as `rate-limit`. */
  name: string;
  /** By what people do, such as "how often". */
  title: string;
  /** At least one; the first one is the shortest. */
  lines: readonly string[];
}>;

const told: readonly Telling[] = [
  ...pipeline.flatMap(({ tells }) => tells ?? []),
  tellProvider,
  tellRetry,
  tellTimeLimit,
  tellHttpHandler,
];

const tellings: readonly Telling[] = [...told, ...tellWritten(told)];

/** What a route asks for besides being forwarded, in the order in which it acts on a request. */
export function policiesOf(route: RouteConfig, global: GlobalConfig): readonly Policy[] {
  return tellings.flatMap(({ name, title, tell }) => {
    const lines = tell(route, global);
    return lines === undefined ? [] : [{ name, title, lines }];
  });
}

/** What an entry asks for: an aggregate asks its parts, and these ask for what they do as routes. */
export function entryPoliciesOf({ config, aggregate }: Entry, global: GlobalConfig): readonly Policy[] {
  if (aggregate === undefined) return policiesOf(config, global);
  return [{ name: "aggregate", title: "parts", lines: tellAggregate(aggregate.written) }];
}

/** The same as it may be shown. */
export function maskPolicies(policies: readonly Policy[], variables: readonly string[]): readonly Policy[] {
  return policies.map((policy) => ({ ...policy, lines: policy.lines.map((line) => maskValues(line, variables)) }));
}
