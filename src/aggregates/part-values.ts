import type { AggregateConfig } from "./aggregate-keys.ts";
import { type FindValues, parseJsonPath } from "./json-path.ts";

/** Where the values for a part are found, and the placeholder that they fill. */
export type PartValues = Readonly<{ placeholder: string; find: FindValues }>;

/** Where the values for a part are found; of several entries for it the first counts, as in Ocelot. */
export function valuesOfPart({ RouteKeysConfig = [] }: Partial<AggregateConfig>, key: string): PartValues | undefined {
  const { JsonPath, Parameter } = RouteKeysConfig.find(({ RouteKey }) => RouteKey === key) ?? {};
  const find = JsonPath === undefined ? undefined : parseJsonPath(JsonPath.trim());
  return find === undefined || Parameter === undefined ? undefined : { placeholder: placeholderOf(Parameter), find };
}

/** The name of the placeholder that a `Parameter` means, with or without braces. */
export function placeholderOf(parameter: string): string {
  return parameter.trim().replace(/^\{(.*)\}$/s, "$1");
}
