import type { Receive } from "../asking/receive-in-share.ts";
import type { Apart } from "../compiling/compile-own-pages.ts";
import type { CompiledConfiguration } from "../compiling/compiled-configuration.ts";
import type { CompiledRoute } from "../compiling/compiled-route.ts";
import { globalConfigOf } from "../config/gateway-config.ts";
import { GatewayError, UpstreamError } from "../errors.ts";
import type { HostSeeker } from "../hosts/balancer.ts";
import type { ParameterPlace } from "../openapi/narrowing/client-path.ts";
import { narrowDocument } from "../openapi/narrowing/narrow-document.ts";
import { type DocumentFault, isFault } from "../openapi/reading/document-fault.ts";
import { readDocument, readJson } from "../openapi/reading/read-document.ts";
import { serverAddressOf } from "../openapi/servers.ts";
import type { DocumentPlace } from "../openapi/where-documents-are.ts";
import type { GatewayOptions } from "../options/options.ts";
import { runWithin } from "../time-slices.ts";
import { fetchDocument } from "./fetch-document.ts";
import { inTurnIfLarge, writeDocument } from "./large-documents.ts";
import { createFactsOf } from "./scheme-facts.ts";

/** What documents of a configuration are made with. */
type DocumentSurroundings = Readonly<{
  present: Pick<CompiledConfiguration, "config" | "compiled" | "index">;
  engine: Apart["engine"];
  options: Pick<GatewayOptions, "authentication">;
  receive: Receive;
}>;

/** A document, and the route over which its service has it. */
type DocumentOrder = Readonly<{ place: DocumentPlace; route: CompiledRoute; seeker: HostSeeker }>;

// Of work, in which requests are served: how long routes and operations are compared depends on both.
const mostMilliseconds = 10_000;
const tooLong: DocumentFault = { fault: "making what clients can call of it takes too long" };

/** Fetches the document of a service, and makes of it what clients can call. */
export async function makeDocument(order: DocumentOrder, surroundings: DocumentSurroundings): Promise<string> {
  const { place, route, seeker } = order;
  const { engine, receive } = surroundings;
  const bytes = await fetchDocument({ engine, route, seeker, receive }).catch((error: unknown) => {
    throw unavailable(place, error instanceof GatewayError ? error.message : "The service cannot be asked.", error);
  });
  if (isFault(bytes)) throw unavailable(place, bytes.fault);
  const read = await readJson(bytes);
  if (isFault(read)) throw illFormed(place, read.fault);
  const made = await inTurnIfLarge(read.json.length, () => makeText(read.json, place, surroundings));
  if (isFault(made)) throw illFormed(place, made.fault);
  return made.text;
}

async function makeText(
  json: string,
  place: DocumentPlace,
  surroundings: DocumentSurroundings,
): Promise<Readonly<{ text: string }> | DocumentFault> {
  const document = await readDocument(json);
  if (isFault(document)) return document;
  if (place.endpoint.TransformByOcelotConfig === false) return writeDocument(document.root);
  const steps = narrowDocument(document, settingsFor(place, surroundings));
  const narrowed = (await runWithin(steps, mostMilliseconds)) ?? tooLong;
  return isFault(narrowed) ? narrowed : writeDocument(narrowed);
}

function settingsFor(
  { endpoint, name, version, source }: DocumentPlace,
  { present, options }: DocumentSurroundings,
): Parameters<typeof narrowDocument<CompiledRoute>>[1] {
  const global = globalConfigOf(present.config)!;
  const own = present.compiled.filter(({ route }) => route.config.SwaggerKey === endpoint.Key);
  return {
    ...{ name, version, global },
    routes: own.map((value) => ({ value, template: value.template, config: value.route.config })),
    index: present.index,
    decides: createDecides(present.compiled),
    versionPlaceholder: endpoint.VersionPlaceholder ?? "{version}",
    factsOf: createFactsOf(global, options),
    server: serverAddressOf(endpoint.HostOverride, global.BaseUrl),
    documentPath: "url" in source ? new URL(source.url).pathname : source.path,
    keepsComponents: endpoint.RemoveUnusedComponentsFromScheme === false,
    keepsServers: endpoint.TakeServersFromDownstreamService === true,
  };
}

/** Paths decide about routes, and so does what their templates ask of queries and headers. */
function createDecides(compiled: readonly CompiledRoute[]): (place: ParameterPlace) => boolean {
  const names = new Set(
    compiled.flatMap(({ template: { query, headers } }) => [
      ...query.map(({ name }) => `query ${name.toLowerCase()}`),
      ...headers.map(({ name }) => `header ${name.toLowerCase()}`),
    ]),
  );
  return (place) => place.in === "path" || names.has(`${place.in} ${place.name.toLowerCase()}`);
}

function unavailable(place: DocumentPlace, reason: string, cause?: unknown): GatewayError {
  return new UpstreamError("document-unavailable", `${nameOf(place)} cannot be had: ${reason}`, { cause });
}

function illFormed(place: DocumentPlace, reason: string): GatewayError {
  return new UpstreamError("document-ill-formed", `${nameOf(place)} cannot be read: ${reason}.`);
}

function nameOf({ key, version }: DocumentPlace): string {
  return `The OpenAPI document ${JSON.stringify(`${version}/${key}`)}`;
}
