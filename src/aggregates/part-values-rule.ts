import type { AggregateEntry, RouteEntry, Rulebook } from "../config/rules/rule.ts";
import { quote } from "../json/json-node.ts";
import { locate } from "../json/place.ts";
import { parseUpstreamTemplate } from "../templates/upstream-template.ts";
import type { PartValuesConfig } from "./aggregate-keys.ts";
import { parseJsonPath } from "./json-path.ts";
import { placeholderOf } from "./part-values.ts";

/** An aggregate, and those of its parts that there are. */
type Whole = Readonly<{ aggregate: AggregateEntry; parts: readonly RouteEntry[] }>;

/** One thing that an entry may lack, by the key that it is about. */
type Fault = Readonly<{ key: keyof PartValuesConfig; message: string }>;

/** Every entry of `RouteKeysConfig` says where which part finds its values. With one part there is nothing to fill. */
export function checkPartValues({ aggregate: { place, config }, parts }: Whole, report: Rulebook["report"]): void {
  if ((config.RouteKeys ?? []).length < 2) return;
  const entries = config.RouteKeysConfig as readonly (PartValuesConfig | undefined)[] | undefined;
  entries?.forEach((entry, index) => {
    // What is no object was reported when it was read.
    const fault = entry && findFault(entry, parts);
    if (fault === undefined) return;
    report("part-values-invalid", locate(place, ["RouteKeysConfig", index, fault.key]), fault.message);
  });
}

function findFault(
  { RouteKey, JsonPath, Parameter }: PartValuesConfig,
  parts: readonly RouteEntry[],
): Fault | undefined {
  if (RouteKey === undefined || JsonPath === undefined || Parameter === undefined) {
    const message = 'expected "RouteKey", "JsonPath" and "Parameter", of which one is missing';
    return { key: "RouteKey", message };
  }
  const place = parts.findIndex(({ config }) => config.Key === RouteKey);
  if (place < 1) {
    const reason = place === 0 ? "is the first part, which is asked for the values" : "is no part of the aggregate";
    return { key: "RouteKey", message: `expected a further part of "RouteKeys": ${quote(RouteKey)} ${reason}` };
  }
  if (parseJsonPath(JsonPath.trim()) === undefined) {
    const expected =
      'expected names, indexes, "*", ".." and filters by equality, such as "$.items[?(@.open == true)].id"';
    return { key: "JsonPath", message: `${expected}, found ${quote(JsonPath)}` };
  }
  const { UpstreamPathTemplate = "", UpstreamHeaderTemplates } = parts[place]!.config;
  const names = [...parseUpstreamTemplate(UpstreamPathTemplate, UpstreamHeaderTemplates).origins.keys()];
  if (names.includes(placeholderOf(Parameter))) return undefined;
  const message = `expected a placeholder of the part ${quote(RouteKey)}, found ${quote(Parameter)}`;
  return { key: "Parameter", message };
}
