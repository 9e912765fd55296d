import type { UpstreamTemplate } from "../../templates/upstream-template.ts";
import { namesOf } from "../../templates/upstream-template.ts";
import type { Bindings } from "./match-template.ts";
import { namesIn } from "./path-segments.ts";

/** Where clients find what a path of a document leads to. */
export type ClientPath = Readonly<{
  path: string;
  /** By the names of the document's parameters in the path: where clients write them, and under which name. */
  places: ReadonlyMap<string, ParameterPlace>;
  /** What clients write besides. */
  added: readonly AddedParameter[];
}>;

/** Where clients write a parameter. */
export type ParameterPlace = Readonly<{ in: "path" | "query" | "header"; name: string }>;

/** A parameter that the document does not have; with a value, nothing else may be written. */
export type AddedParameter = ParameterPlace & Readonly<{ placeholder: string | undefined; value?: string }>;

/** Says where clients find what a path of a document leads to that a route's downstream template matches. */
export function toClientPath(upstream: UpstreamTemplate, bindings: Bindings): ClientPath {
  const { values, endsBefore } = bindings;
  const taken = new Set([...values.values()].flatMap(namesIn));
  const places = new Map<string, ParameterPlace>();
  const added: AddedParameter[] = [];
  let path = "";
  for (const part of upstream.path.parts) path += typeof part === "string" ? part : fillPlaceholder(part.placeholder);
  for (const { name, value } of upstream.query) addCondition({ in: "query", name }, value);
  for (const { name, value } of upstream.headers) addCondition({ in: "header", name }, value);
  return { path: endsBefore ? path.replace(/\/$/, "") || "/" : path, places, added };

  function fillPlaceholder(placeholder: string): string {
    const value = values.get(placeholder);
    if (value !== undefined) {
      for (const name of namesIn(value)) places.set(name, { in: "path", name });
      return value;
    }
    const name = freeName(placeholder);
    added.push({ in: "path", name, placeholder });
    return `{${name}}`;
  }

  /** The document may have a parameter of that name elsewhere in its path. */
  function freeName(wanted: string): string {
    let name = wanted;
    for (let number = 2; taken.has(name); number += 1) name = `${wanted}_${number}`;
    taken.add(name);
    return name;
  }

  function addCondition(place: ParameterPlace, template: UpstreamTemplate["path"]): void {
    const [placeholder, ...others] = namesOf(template);
    const isWhole = template.parts.length === 1 && placeholder !== undefined;
    const value = isWhole ? values.get(placeholder) : undefined;
    const name = value === undefined ? undefined : /^\{([^{}]+)\}$/.exec(value)?.[1];
    if (name !== undefined) places.set(name, place);
    else if (value !== undefined && namesIn(value).length === 0) added.push({ ...place, placeholder, value });
    else if (placeholder === undefined) added.push({ ...place, placeholder, value: template.text });
    else added.push({ ...place, placeholder: others.length === 0 && isWhole ? placeholder : undefined });
  }
}
