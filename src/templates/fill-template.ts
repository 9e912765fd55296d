import { type AssignedValues, placeholderText } from "./placeholder-text.ts";
import type { Template } from "./template.ts";
import { type Component, encodeAssignedValue, encodeValue, type ValueOrigin } from "./encode-value.ts";

/** The values of one request: as captured at the match, and as they stand after the user's middleware. */
export type PlaceholderValues = Readonly<{
  captured: Readonly<Record<string, string>>;
  current: AssignedValues;
}>;

/** Puts the values of one request into a template. */
export type FillTemplate = (values: PlaceholderValues) => string;

/** Prepares a template for filling: one pass, and what was filled in is never looked at again. */
export function createFillTemplate(
  template: Template,
  component: Component,
  origins: ReadonlyMap<string, ValueOrigin>,
): FillTemplate {
  const { parts } = template;
  const [only = ""] = parts;
  if (parts.length < 2 && typeof only === "string") return () => only;
  return function fillTemplate(values) {
    let filled = "";
    for (const part of parts) {
      filled += typeof part === "string" ? part : fillPlaceholder(part.placeholder, values, component, origins);
    }
    return filled;
  };
}

function fillPlaceholder(
  name: string,
  values: PlaceholderValues,
  component: Component,
  origins: ReadonlyMap<string, ValueOrigin>,
): string {
  const value = placeholderText(values.current, name);
  return value === values.captured[name]
    ? encodeValue(value, origins.get(name) ?? "header", component)
    : encodeAssignedValue(value, component);
}
