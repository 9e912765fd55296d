import type { $ZodType, output } from "zod/v4/core";
import { GatewayError } from "../../errors.ts";
import { freezeTree, frozenCopy, mayLend, notPlain } from "./json/share-value.ts";
import { jsonReading, jsonVariant, type JsonOptions } from "./json/json-options.ts";
import { layerOf, type MetadataLayers } from "./merge-metadata.ts";
import { Misfit, metadataErrorOf } from "./metadata-error.ts";
import { isSchema, parseSchema } from "./json/parse-schema.ts";
import { createReadCache, type ReadCache, type Repeat } from "./remembered-readings.ts";
import { compileMetadataOptions, type CompiledOptions, type MetadataReadOptions } from "./metadata-options.ts";
import { isTokenName, tokens, type TokenAbsent, type TokenName, type TokenValue } from "./types-by-name.ts";

export type { JsonOptions, MetadataReadOptions };

/** What a metadata value can be read as: a token such as `"int"`, or a Zod schema for JSON. */
export type MetadataType = TokenName | $ZodType;

/** What reading as this type gives where there is a value. */
export type MetadataValue<Type extends MetadataType> = Type extends TokenName
  ? TokenValue<Type>
  : Type extends $ZodType
    ? output<Type>
    : never;

type MetadataAbsent<Type extends MetadataType> = Type extends TokenName ? TokenAbsent<Type> : null;

/** A default and the JSON options, both optional. A rest tuple, because inference drops `undefined` from an optional parameter. */
type MetadataDefaults<Type extends MetadataType> =
  readonly [] | readonly [fallback: MetadataValue<Type> | null | undefined, json?: JsonOptions | undefined];

type Fallback<Defaults extends readonly unknown[]> = Defaults extends readonly [infer Given, ...unknown[]]
  ? Given
  : undefined;

/**
 * Reads a metadata value as a type: `getMetadata(key, type, fallback?, json?)`. Where the key is absent or its value null,
 * it gives the fallback, else the type's own: `null`, `0`, `0n`, decimal zero or `false`. `undefined` is no fallback.
 * A value that does not fit throws a `MetadataError`, fallback or not.
 */
export type GetMetadata = <const Type extends MetadataType, Defaults extends MetadataDefaults<Type> = []>(
  key: string,
  type: Type,
  ...defaults: Defaults
) =>
  | MetadataValue<Type>
  | (undefined extends Fallback<Defaults> ? MetadataAbsent<Type> : never)
  | (null extends Fallback<Defaults> ? null : never);

/** What a route's metadata are read from. */
type MetadataSource = Readonly<{
  routeId: string;
  layers: MetadataLayers;
  options: MetadataReadOptions;
  /** Values of variables that are named like secrets: they show in no error. */
  variables?: readonly string[];
}>;

/** Makes the `getMetadata` of one route. Nothing is converted before it is asked for, and nothing twice. */
export function createMetadataReader({ routeId, layers, options, variables = [] }: MetadataSource): GetMetadata {
  const compiled = compileMetadataOptions(options);
  const own = layerOf(layers.route);
  const global = layerOf(layers.global);
  let cache: ReadCache | undefined;

  function getMetadata(key: string, type: MetadataType, fallback?: unknown, json?: JsonOptions): unknown {
    const text = own[key] === undefined ? global[key] : own[key];
    if (text === undefined || text === null) return fallback === undefined ? absentValue(type) : fallback;
    const variant = jsonVariant(json);
    const known = cache?.find(key, type, variant);
    if (known !== undefined) return known();
    const { value, repeat } = firstRead({ routeId, key, text, type, variant, compiled, variables });
    cache ??= createReadCache();
    cache.remember(key, type, variant, repeat);
    return value;
  }
  return getMetadata as GetMetadata;
}

type Request = Readonly<{
  routeId: string;
  key: string;
  text: string;
  type: MetadataType;
  variant: number;
  compiled: CompiledOptions;
  variables: readonly string[];
}>;

function firstRead(request: Request): { value: unknown; repeat: Repeat } {
  const { type } = request;
  const value = convert(request);
  if (isTokenName(type)) return { value, repeat: () => value }; // tokens give what is immutable
  const copy = mayLend(type) ? frozenCopy(value) : freezeTree(value);
  return copy === notPlain ? { value, repeat: () => convert(request) } : { value: copy, repeat: () => copy };
}

function convert({ routeId, key, text, type, variant, compiled, variables }: Request): unknown {
  const row = rowOf(type);
  try {
    return row.read(text, compiled, jsonReading(variant));
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    const name = isTokenName(type) ? type : "schema";
    throw metadataErrorOf({ routeId, key, text, type: name, expected: row.expected, variables }, error);
  }
}

function absentValue(type: MetadataType): unknown {
  return rowOf(type).absent;
}

type Row = Readonly<{
  read: (text: string, options: CompiledOptions, json: ReturnType<typeof jsonReading>) => unknown;
  absent: unknown;
  expected: string;
}>;

/** The row of a token, or one of the same form for a schema. */
function rowOf(type: MetadataType): Row {
  if (isTokenName(type)) return tokens[type];
  if (!isSchema(type)) throw unknownType(type);
  return {
    read: (text, _options, json) => parseSchema(text, type, json),
    absent: null,
    expected: "JSON that fits the schema",
  };
}

function unknownType(type: unknown): GatewayError {
  const names = Object.keys(tokens).join(", ");
  const found = typeof type === "string" ? JSON.stringify(type) : `a value of type ${typeof type}`;
  return new GatewayError(
    "handler-misuse",
    `getMetadata got ${found} as the type to read: expected one of ${names}, or a schema of Zod 4.`,
  );
}
