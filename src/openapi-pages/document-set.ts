import { createReceiving } from "../asking/receive-in-share.ts";
import { createShareOfTime } from "../asking/share-of-time.ts";
import type { CompiledConfiguration } from "../compiling/compiled-configuration.ts";
import type { CompiledRoute } from "../compiling/compiled-route.ts";
import { endpointsOf } from "../config/gateway-config.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { chooseLogger } from "../logging/logger.ts";
import { type DocumentPlace, placesOfDocuments } from "../openapi/where-documents-are.ts";
import type { GatewayOptions } from "../options/options.ts";
import { createKeptDocuments, type KeptDocument } from "./kept-documents.ts";
import { makeDocument } from "./make-document.ts";
import { makeMerged, mergedName } from "./make-merged.ts";
import { routeToDocument } from "./route-to-document.ts";

/** A document as the list of all has it. */
type ListedDocument = Readonly<{ name: string; version: string; url: string }>;

/** The documents of one configuration. */
export type DocumentSet = Readonly<{
  present: CompiledConfiguration;
  /** The list of all of them, as it is answered. */
  list: Buffer;
  /** The document at a path; undefined where there is none. */
  find: (path: string) => ((exchange: Exchange) => Promise<KeptDocument>) | undefined;
}>;

const mergedAddress = "docs/all";
// Its parts are kept for longer; a service that is missing in it may just be starting.
const mergedMilliseconds = 10_000;

/** Prepares the documents of a configuration; nobody is asked before a client asks. */
export function createDocumentSet(present: CompiledConfiguration, options: GatewayOptions): DocumentSet {
  const { apart, config } = present;
  const places = placesOfDocuments(endpointsOf(config));
  const byPath = new Map(places.map((place) => [`/${addressOf(place)}`, place]));
  const routes = new Map<DocumentPlace, CompiledRoute>();
  const keep = createKeptDocuments<object>(options.now ?? (() => performance.now()));
  const logger = chooseLogger(options.logger);
  const receive = createReceiving(createShareOfTime());
  const surroundings = { present, options, engine: apart.engine, receive };
  return { present, find, list: Buffer.from(JSON.stringify(listOf(places))) };

  function find(path: string): ReturnType<DocumentSet["find"]> {
    if (path === `/${mergedAddress}` && places.length > 0) return mergedFor;
    const place = byPath.get(normalised(path));
    return place && ((exchange) => documentFor(place, exchange));
  }

  function documentFor(place: DocumentPlace, seeker: Exchange): Promise<KeptDocument> {
    return keep(place, async () => makeDocument({ place, route: routeTo(place), seeker }, surroundings));
  }

  function mergedFor(exchange: Exchange): Promise<KeptDocument> {
    return keep(places, () => makeMerged(places, readPart), mergedMilliseconds);

    function readPart(place: DocumentPlace): Promise<KeptDocument> {
      return documentFor(place, exchange).catch((err: unknown) => {
        logger.warn({ err, document: addressOf(place) }, "An OpenAPI document is missing in the one of all services.");
        throw err;
      });
    }
  }

  function routeTo(place: DocumentPlace): CompiledRoute {
    const route = routes.get(place) ?? apart.compile(routeToDocument(place, config.routes));
    routes.set(place, route);
    return route;
  }
}

function listOf(places: readonly DocumentPlace[]): readonly ListedDocument[] {
  const merged = { name: mergedName, version: "", url: mergedAddress };
  return [...places.map(toListed), ...(places.length > 1 ? [merged] : [])];
}

function toListed(place: DocumentPlace): ListedDocument {
  return { name: place.name, version: place.version, url: addressOf(place) };
}

function addressOf({ version, key }: DocumentPlace): string {
  return `docs/${encodeURIComponent(version)}/${encodeURIComponent(key)}`;
}

/** Clients may encode more than they must, or less. */
function normalised(path: string): string {
  try {
    return path
      .split("/")
      .map((segment) => encodeURIComponent(decodeURIComponent(segment)))
      .join("/");
  } catch {
    return path;
  }
}
