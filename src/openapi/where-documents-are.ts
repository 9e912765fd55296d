import type { SwaggerDocumentConfig, SwaggerEndpointConfig } from "./openapi-keys.ts";

/** A document that a service has, and how clients ask for what becomes of it. */
export type DocumentPlace = Readonly<{
  endpoint: SwaggerEndpointConfig;
  /** Both as they stand in the path. */
  key: string;
  version: string;
  /** What people call it. */
  name: string;
  source: DocumentSource;
}>;

/** Where a document is: at an address, or below that of a service which a provider finds. */
type DocumentSource = Readonly<{ url: string } | { service: string; path: string }>;

/** The version of a document that names none. */
export const usualVersion = "v1";

/** The documents of a configuration, in its order. */
export function placesOfDocuments(endpoints: readonly SwaggerEndpointConfig[]): readonly DocumentPlace[] {
  return endpoints.flatMap((endpoint) =>
    (endpoint.Config ?? []).filter(isSomewhere).map((document) => placeOf(document, endpoint)),
  );
}

/** Whether a document says where it is; of one that does not a warning tells, and there is nothing to be shown. */
export function isSomewhere({ Url: url, Service: service }: SwaggerDocumentConfig): boolean {
  return url !== undefined || service?.Name !== undefined;
}

function placeOf(document: SwaggerDocumentConfig, endpoint: SwaggerEndpointConfig): DocumentPlace {
  const { Key: own = "", KeyToPath: key = own } = endpoint;
  const { Name: name = own, Version: version = usualVersion, Url: url } = document;
  const { Name: service = "", Path: path = `/swagger/${encodeURIComponent(version)}/swagger.json` } =
    document.Service ?? {};
  return { endpoint, key, version, name, source: url === undefined ? { service, path } : { url } };
}
