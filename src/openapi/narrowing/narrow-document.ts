import type { GlobalConfig } from "../../config/sections.ts";
import type { JsonObject } from "../../json/json-object.ts";
import type { Steps } from "../../time-slices.ts";
import type { DocumentFault } from "../reading/document-fault.ts";
import type { OpenApiDocument, OpenApiVersion } from "../reading/read-document.ts";
import type { ServerAddress } from "../servers.ts";
import { createBudgets } from "../shapes/document-budgets.ts";
import { createComponents } from "../shapes/components.ts";
import { placesOfVersion } from "../shapes/places-of-version.ts";
import { readOperations, methodsOfVersion } from "./read-operations.ts";
import { createSecurity, type SchemeFacts } from "./gateway-security.ts";
import { createProveOffers, type Decides } from "./prove-offers.ts";
import { createReadOffers } from "./read-offers.ts";
import { findReachable, type RouteSettings } from "./reachable-operations.ts";
import { writeHead } from "./write-head.ts";
import { writePaths, type WrittenPaths } from "./write-paths.ts";

/** What becomes of a document, and by which routes. */
type NarrowingSettings<R> = RouteSettings<R> &
  Readonly<{
    /** What people call it. */
    name: string;
    global: Pick<GlobalConfig, "AuthenticationOptions">;
    /** Whether any route looks at a parameter. */
    decides: Decides;
    factsOf: (scheme: string) => SchemeFacts;
    /** Where clients reach the gateway. */
    server: ServerAddress;
    /** Where the service has the document: addresses of servers may be relative to it. */
    documentPath: string;
    keepsComponents: boolean;
    keepsServers: boolean;
  }>;

const tooMuch: DocumentFault = { fault: "its references come to too much" };

/** Makes of a service's document one that holds what clients of the gateway can call, as they can call it. */
export function* narrowDocument<R>(
  document: OpenApiDocument,
  settings: NarrowingSettings<R>,
): Steps<JsonObject | DocumentFault> {
  const { root, version } = document;
  const { documentPath, keepsServers, keepsComponents, global, factsOf } = settings;
  const components = createComponents(root, placesOfVersion[version]);
  const { copy } = components;
  const operations = yield* readOperations(document, { documentPath, hasServers: !keepsServers });
  const placed = operations && (yield* findReachable(operations, methodsOfVersion(document), settings));
  if (placed === undefined) return { fault: "it has too many operations" };
  const budgets = createBudgets();
  const security = createSecurity({ document, copy, global, factsOf });
  const { index, decides, server } = settings;
  const proveOffers = createProveOffers({ index, decides, readOffers: createReadOffers(root) });
  const paths = yield* writePaths(placed, { copy, version, security, server, budgets, decides, proveOffers });
  if (paths === undefined) return tooMuch;
  if (keepsComponents) yield* components.needAll();
  const sections = yield* components.collect(budgets);
  if (sections === undefined) return tooMuch;
  const used = yield* tagsOf(paths);
  const hasTag = (name: string): boolean => keepsComponents || used.has(name);
  const head = yield* writeHead(document, { ...settings, copy, hasTag, documentVersion: settings.version });
  const schemes = security.schemes();
  if (!(yield* budgets.written.allows([head, schemes]))) return tooMuch;
  return { ...head, paths, ...withSchemes(version, sections, schemes) };
}

/** The components of a document: beside each other, or below one key. */
function withSchemes(version: OpenApiVersion, sections: JsonObject, schemes: JsonObject): JsonObject {
  const name = version === "2.0" ? "securityDefinitions" : "securitySchemes";
  const all = Object.keys(schemes).length === 0 ? sections : { ...sections, [name]: schemes };
  if (version === "2.0") return all;
  return Object.keys(all).length === 0 ? {} : { components: all };
}

function* tagsOf(paths: WrittenPaths): Steps<ReadonlySet<unknown>> {
  const all = new Set<unknown>();
  for (const { tags } of Object.values(paths).flatMap((item) => Object.values(item))) {
    yield;
    for (const tag of Array.isArray(tags) ? (tags as unknown[]) : []) all.add(tag);
  }
  return all;
}
