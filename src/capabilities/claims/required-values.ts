import { claimValues } from "../../identity/claim-values.ts";
import type { Identity } from "../../identity/identity.ts";
import type { PlaceholderValues } from "../../templates/fill-template.ts";
import { placeholderText } from "../../templates/placeholder-text.ts";
import type { UpstreamTemplate } from "../../templates/upstream-template.ts";
import { decodeAssigned, decodePlaceholder } from "./decode-placeholder.ts";

/** What a claim may be: a text, or the value of a placeholder. */
type RequiredValue = string | Readonly<{ placeholder: string }>;

/** The claims that a route asks for, and what each may be. */
type RequiredClaim = Readonly<{ claim: string; values: readonly RequiredValue[] }>;

const onePlaceholder = /^\{(\w+)\}$/;

const none: readonly RequiredClaim[] = [];

/** Reads which values a requirement speaks of. */
export function parseRequirement(
  written: Readonly<Record<string, readonly string[]>> | undefined,
): readonly RequiredClaim[] {
  if (written === undefined) return none;
  return Object.entries(written).map(([claim, texts]) => ({ claim, values: texts.map(parseValue) }));
}

/** A text that is one placeholder means its value. */
export function parseValue(text: string): RequiredValue {
  const placeholder = onePlaceholder.exec(text)?.[1];
  return placeholder === undefined ? text : { placeholder };
}

/** The placeholders that a requirement reads. */
export function placeholdersOf(required: readonly RequiredClaim[]): readonly string[] {
  const names = required.flatMap(({ values }) =>
    values.flatMap((value) => (typeof value === "string" ? [] : [value.placeholder])),
  );
  return [...new Set(names)];
}

/** What the placeholders of a route took. */
type Taken = Readonly<{ values: PlaceholderValues; template: Pick<UpstreamTemplate, "origins"> }>;

/** Whether claims hold one of the values that are asked for. */
export function fulfils(
  claims: Identity["claims"],
  { claim, values: wanted }: RequiredClaim,
  { values, template }: Taken,
): boolean {
  const held = claimValues(claims, claim);
  return wanted.some((value) => {
    const text = textOfRequired(value, values, template.origins);
    return text !== undefined && held.includes(text);
  });
}

/** The text that a claim must be; undefined where nothing would do. */
function textOfRequired(
  required: RequiredValue,
  { captured, current }: PlaceholderValues,
  origins: UpstreamTemplate["origins"],
): string | undefined {
  if (typeof required === "string") return required;
  const { placeholder: name } = required;
  const value = placeholderText(current, name);
  const isClients = value === captured[name];
  const text = isClients ? decodePlaceholder(value, origins.get(name) ?? "header") : decodeAssigned(value);
  return text === "" ? undefined : text;
}
