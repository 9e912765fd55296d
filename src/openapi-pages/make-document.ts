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
import { createFactsOf } from "./scheme-facts.ts";
import { createTurnsOfDocument, shortBytes, shortTurns, type TurnsOfDocument } from "./turns-of-document.ts";
import { writeDocument } from "./write-document.ts";

/** What documents of a configuration are made with. */
type DocumentSurroundings = Readonly<{
  present: Pick<CompiledConfiguration, "config" | "compiled" | "index">;
  engine: Apart["engine"];
  options: Pick<GatewayOptions, "authentication">;
  receive: Receive;
}>;

/** The text of a document, or why there is none. */
type Made = Readonly<{ text: string }> | DocumentFault;

/** Makes it of JSON; undefined where that takes longer than so many milliseconds. */
type Make = (json: string, milliseconds: number) => Promise<Made | undefined>;

/** A document, and the route over which its service has it. */
type DocumentOrder = Readonly<{ place: DocumentPlace; route: CompiledRoute; seeker: HostSeeker }>;

// Of work, in which requests are served: how long routes and operations are compared depends on both.
const mostMilliseconds = 10_000;
// Of two that take longer, all others would wait.
const mostOfShort = 1_000;
const tooLong: DocumentFault = { fault: "making what clients can call of it takes too long" };

/** Fetches the document of a service, and makes of it what clients can call. */
export async function makeDocument(order: DocumentOrder, surroundings: DocumentSurroundings): Promise<string> {
  const { place, route, seeker } = order;
  const { engine, receive } = surroundings;
  const turns = createTurnsOfDocument();
  try {
    const bytes = await fetchDocument({ engine, route, seeker, receive, turns }).catch((error: unknown) => {
      if (error instanceof GatewayError && error.code === "overloaded") throw error;
      throw unavailable(place, error instanceof GatewayError ? error.message : "The service cannot be asked.", error);
    });
    if (isFault(bytes)) throw unavailable(place, bytes.fault);
    const make: Make = (json, milliseconds) => makeText({ json, place, milliseconds }, surroundings);
    const made = (await makeShort(bytes, make)) ?? (await makeLong(bytes, make, turns));
    if (isFault(made)) throw illFormed(place, made.fault);
    return made.text;
  } finally {
    turns.leave();
  }
}

/** Makes a document that turns out to be short, in its text and in what it asks for; undefined for another one. */
async function makeShort(bytes: Buffer, make: Make): Promise<Made | undefined> {
  if (bytes.length > shortBytes) return undefined;
  const read = await readJson(bytes);
  if (isFault(read)) return read;
  // A few lines of YAML may come to much.
  if (read.json.length > shortBytes) return undefined;
  return shortTurns.inTurn(() => make(read.json, mostOfShort));
}

async function makeLong(bytes: Buffer, make: Make, turns: TurnsOfDocument): Promise<Made> {
  await turns.goOnAsLong();
  const read = await readJson(bytes);
  return isFault(read) ? read : ((await make(read.json, mostMilliseconds)) ?? tooLong);
}

async function makeText(
  { json, place, milliseconds }: Readonly<{ json: string; place: DocumentPlace; milliseconds: number }>,
  surroundings: DocumentSurroundings,
): Promise<Made | undefined> {
  const document = await readDocument(json);
  if (isFault(document)) return document;
  if (place.endpoint.TransformByOcelotConfig === false) return writeDocument(document.root);
  const narrowed = await runWithin(narrowDocument(document, settingsFor(place, surroundings)), milliseconds);
  return narrowed === undefined || isFault(narrowed) ? narrowed : writeDocument(narrowed);
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
