import type { AggregateConfig } from "./aggregate-keys.ts";
import { placeholderOf } from "./part-values.ts";
import { usualCalls } from "./too-many-calls-by-values.ts";

/** How the parts of an aggregate are asked, and what becomes of their answers, in words. */
export function tellAggregate(config: AggregateConfig): readonly [brief: string, ...more: string[]] {
  const { RouteKeys = [], RouteKeysConfig = [], OnFailure, MaxCalls = usualCalls } = config;
  const [first, ...others] = new Set(RouteKeys);
  if (others.length === 0) return ["its answer passes as it is"];
  const byValues = RouteKeysConfig.map(({ RouteKey, JsonPath = "", Parameter = "" }) => {
    return `${RouteKey} for each ${JsonPath.trim()} in the answer of ${first}, which becomes {${placeholderOf(Parameter)}}`;
  });
  return [
    byValues.length === 0 ? "asked at the same time" : "asked for values that are found in the first answer",
    ...byValues,
    ...(byValues.length === 0 ? [] : [`at most ${MaxCalls} such calls, else 502 (aggregate-too-many)`]),
    OnFailure === "Null"
      ? "one that cannot be asked is null in the answer; a refusal of 401, 403 or 429 ends the whole"
      : "one that refuses or cannot be asked ends the whole",
    "the locks, limits and caches of each hold for it as for its route",
  ];
}

/** What an aggregate answers with, in a sketch. */
export function sketchAnswer({ RouteKeys, RouteKeysConfig = [], Aggregator }: AggregateConfig): string {
  const parts = [...new Set(RouteKeys)];
  if (Aggregator !== undefined) return `what the function ${Aggregator} of the option aggregators makes of the parts`;
  if (parts.length === 1) return `the answer of ${parts[0]}, as it is`;
  const byValues = new Set(RouteKeysConfig.map(({ RouteKey }) => RouteKey));
  const members = parts.map((key) => {
    const body = `<the body of ${key}>`;
    return `${JSON.stringify(key)}: ${byValues.has(key) ? `[${body}, …]` : body}`;
  });
  return `200 application/json {${members.join(", ")}}`;
}
