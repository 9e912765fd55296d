import { MetadataError } from "../errors.ts";
import type { GetMetadata, MetadataType } from "./get-metadata.ts";

/** The metadata keys a gateway relies on, each with its type. */
export type MetadataContract = Readonly<Record<string, MetadataType>>;

type RouteReader = Readonly<{ routeId: string; getMetadata: GetMetadata }>;

/** Every value of every route that does not fit the type its key is declared with. A key that a route lacks is fine. */
export function checkMetadataContract(contract: MetadataContract, readers: Iterable<RouteReader>): MetadataError[] {
  const declared = Object.entries(contract);
  return [...readers].flatMap(({ getMetadata }) => declared.flatMap(([key, type]) => misfitOf(getMetadata, key, type)));
}

function misfitOf(getMetadata: GetMetadata, key: string, type: MetadataType): MetadataError[] {
  try {
    getMetadata(key, type);
    return [];
  } catch (error) {
    if (error instanceof MetadataError) return [error];
    throw error;
  }
}
