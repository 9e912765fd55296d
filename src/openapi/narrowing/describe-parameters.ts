import { isObject, type JsonObject } from "../../json/json-object.ts";
import { namesOf, parseUpstreamTemplate } from "../../templates/upstream-template.ts";
import type { Steps } from "../../time-slices.ts";
import { queryOf } from "../../urls/path-and-query.ts";
import type { RouteConfig } from "../../config/sections.ts";
import type { OpenApiVersion } from "../reading/read-document.ts";
import type { CopyShape } from "../shapes/copy-shape.ts";
import type { AddedParameter, ClientPath, ParameterPlace } from "./client-path.ts";

/** A parameter as it is written, which may be a reference, and what it comes to. */
export type WrittenParameter = Readonly<{ written: unknown; resolved: JsonObject }>;

/** What parameters are described with. */
type ParameterSurroundings = Readonly<{
  copy: CopyShape;
  version: OpenApiVersion;
  /** Whether the values that the document offers at a place are left out. */
  withholds: (place: ParameterPlace) => boolean;
}>;

/** Where clients write parameters, and which of them they need not. */
type ParameterPlaces = Readonly<{ client: ClientPath; set: SetParameters }>;

/** Parameters that a route sets itself, whatever clients send. */
export type SetParameters = Readonly<{
  /** By the names of parameters of the query: the placeholder that alone fills it. */
  query: ReadonlyMap<string, string | undefined>;
  /** In lower case. */
  headers: ReadonlySet<string>;
}>;

/** The parameters that a route sets by its downstream template, and from claims. */
export function setParametersOf({
  DownstreamPathTemplate,
  AddQueriesToRequest,
  AddHeadersToRequest,
}: RouteConfig): SetParameters {
  const { query } = parseUpstreamTemplate(`/?${queryOf(DownstreamPathTemplate) ?? ""}`);
  const filled = query.map(
    ({ name, value }) => [name, value.parts.length === 1 ? namesOf(value)[0] : undefined] as const,
  );
  const claimed = Object.keys(AddQueriesToRequest ?? {}).map((name) => [name, undefined] as const);
  const headers = Object.keys(AddHeadersToRequest ?? {}).map((name) => name.toLowerCase());
  return { query: new Map([...filled, ...claimed]), headers: new Set(headers) };
}

/** The parameters of an operation as clients of the gateway write them. */
export function* describeParameters(
  parameters: readonly WrittenParameter[],
  places: ParameterPlaces,
  surroundings: ParameterSurroundings,
): Steps<unknown[]> {
  const { client, set } = places;
  const { copy, version, withholds } = surroundings;
  const described = new Map<string, unknown>();
  const byPlaceholder = new Map<string, JsonObject>();
  for (const { written, resolved } of parameters) {
    yield;
    const place = { in: resolved.in, name: resolved.name } as ParameterPlace;
    const moved = ownPlaceOf(place, places);
    const placeholder = resolved.in === "query" ? set.query.get(place.name) : undefined;
    if (placeholder !== undefined) byPlaceholder.set(placeholder, resolved);
    if (moved === undefined) continue;
    if (withholds(moved)) {
      add(moved, withoutOffers(resolved, moved, version));
      continue;
    }
    const isSame = moved.in === place.in && moved.name === place.name;
    const copied = yield* copy(isSame ? written : resolved, "parameter");
    add(moved, isSame ? copied : moveParameter(copied, moved));
  }
  for (const [name, place] of client.places)
    add(place, createParameter({ ...place, placeholder: name }, version), true);
  for (const added of client.added) add(added, yield* describeAdded(added), true);
  return [...described.values()];

  function add(place: ParameterPlace, parameter: unknown, isSpare = false): void {
    const key = `${place.in} ${place.name}`;
    if (parameter === undefined || (isSpare && described.has(key))) return;
    described.set(key, parameter);
  }

  /** What the route puts into its query comes from the path, where clients write it. */
  function* describeAdded(added: AddedParameter): Steps<unknown> {
    const own = added.placeholder === undefined ? undefined : byPlaceholder.get(added.placeholder);
    return own === undefined || added.value !== undefined || withholds(added)
      ? createParameter(added, version)
      : moveParameter(yield* copy(own, "parameter"), added);
  }
}

/** All places at which clients may write what a parameter of the document stands for. */
export function placesOf(resolved: JsonObject, places: ParameterPlaces): readonly ParameterPlace[] {
  const place = { in: resolved.in, name: resolved.name } as ParameterPlace;
  const placeholder = place.in === "query" ? places.set.query.get(place.name) : undefined;
  const added = places.client.added.filter((one) => placeholder !== undefined && one.placeholder === placeholder);
  return [ownPlaceOf(place, places), ...added].filter((one) => one !== undefined);
}

/** Where clients write a parameter; undefined where the route sets it. */
function ownPlaceOf(place: ParameterPlace, { client, set }: ParameterPlaces): ParameterPlace | undefined {
  if (place.in === "path") return client.places.get(place.name);
  const isSet = place.in === "query" ? set.query.has(place.name) : isSetHeader(place);
  return isSet ? undefined : place;

  function isSetHeader({ in: where, name }: ParameterPlace): boolean {
    return where === "header" && set.headers.has(name.toLowerCase());
  }
}

/** A parameter of which the document says no more than what it is for. */
function withoutOffers({ description, required }: JsonObject, place: ParameterPlace, version: OpenApiVersion): object {
  return {
    ...createParameter({ ...place, placeholder: undefined }, version),
    ...(typeof description === "string" ? { description } : {}),
    required: place.in === "path" || required === true,
  };
}

// How a value is written depends on where it is.
const wordsOfPlace = ["style", "explode", "allowReserved", "allowEmptyValue", "collectionFormat"];

function moveParameter(copied: unknown, { in: place, name }: ParameterPlace): object {
  const kept = Object.entries(isObject(copied) ? copied : {}).filter(([word]) => !wordsOfPlace.includes(word));
  return { ...Object.fromEntries(kept), name, in: place, required: true };
}

function createParameter({ in: place, name, value }: AddedParameter, version: OpenApiVersion): object {
  const schema = { type: "string", ...(value === undefined ? {} : { enum: [value] }) };
  return { name, in: place, required: true, ...(version === "2.0" ? schema : { schema }) };
}
