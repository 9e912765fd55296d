import { GatewayError } from "../errors.ts";

/** Where names are defined, and what in the configuration asks for one. */
export type NameOrigin = Readonly<{ option: string; asker: string; remedy?: (name: string) => string }>;

/** What a name of the configuration stands for in an option; an unknown one stops the start. */
export function lookUpName<Value>(
  known: Readonly<Record<string, Value>>,
  name: string,
  { option, asker, remedy = () => "" }: NameOrigin,
): Value {
  if (Object.hasOwn(known, name)) return known[name]!;
  const found = `${asker} names ${JSON.stringify(name)}: ${describeKnown(known, name, option)}`;
  throw new GatewayError("name-unknown", found + remedy(name));
}

function describeKnown(known: Readonly<Record<string, unknown>>, name: string, option: string): string {
  const names = Object.keys(known);
  if (names.length === 0) return `the option ${option} of createGateway() has no names.`;
  const near = names.find((other) => other.toLowerCase() === name.toLowerCase());
  const hint = near === undefined ? "" : ` Upper and lower case count: did you mean ${JSON.stringify(near)}?`;
  return `the option ${option} of createGateway() has ${names.map((known) => JSON.stringify(known)).join(", ")}.${hint}`;
}
