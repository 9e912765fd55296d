import {
  createMetadataReader,
  type GetMetadata,
  type MetadataReadOptions,
} from "../../src/capabilities/metadata/get-metadata.ts";

/** The reader of a route `route-a` with these metadata. */
export function readerOf(
  metadata: Readonly<Record<string, string | null>>,
  options: MetadataReadOptions = { CurrentCulture: "" },
): GetMetadata {
  return createMetadataReader({ routeId: "route-a", layers: { route: metadata }, options });
}

/** What a call threw; it is a failure of the test if it threw nothing. */
export function errorOf(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error("expected a throw");
}
