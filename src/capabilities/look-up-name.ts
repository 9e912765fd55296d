import { closestName } from "../closest-name.ts";
import { GatewayError } from "../errors.ts";

/** Where names are defined, what in the configuration asks for one, and how an unknown one is supplied. */
export type NameOrigin = Readonly<{ source: string; asker: string; remedy?: (name: string) => string }>;

/** What a name of the configuration stands for in an option; an unknown one stops the start. */
export function lookUpName<Value>(known: Readonly<Record<string, Value>>, name: string, origin: NameOrigin): Value {
  if (Object.hasOwn(known, name)) return known[name]!;
  throw new GatewayError("name-unknown", describeUnknown(Object.keys(known), name, origin));
}

/** Tells that a name stands for nothing, which names there are instead, and what would supply it. */
export function describeUnknown(
  known: readonly string[],
  name: string,
  { source, asker, remedy = () => "" }: NameOrigin,
): string {
  return `${asker} names ${JSON.stringify(name)}: ${source} ${describeKnown(known, name)}${remedy(name)}`;
}

function describeKnown(names: readonly string[], name: string): string {
  if (names.length === 0) return "has no names.";
  return `has ${names.map((other) => JSON.stringify(other)).join(", ")}.${hintOf(names, name)}`;
}

function hintOf(names: readonly string[], name: string): string {
  const same = names.find((other) => other.toLowerCase() === name.toLowerCase());
  if (same !== undefined) return ` Upper and lower case count: did you mean ${JSON.stringify(same)}?`;
  const near = closestName(name, names);
  return near === undefined ? "" : ` Did you mean ${JSON.stringify(near)}?`;
}
