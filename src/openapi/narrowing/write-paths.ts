import type { JsonObject } from "../../json/json-object.ts";
import type { Steps } from "../../time-slices.ts";
import type { OpenApiVersion } from "../reading/read-document.ts";
import type { Budgets } from "../shapes/document-budgets.ts";
import type { CopyShape } from "../shapes/copy-shape.ts";
import { createNameOnce } from "../shapes/name-once.ts";
import { type ServerAddress, serversOfHost } from "../servers.ts";
import { alignNames, shapeOf } from "./align-parameter-names.ts";
import { describeParameters, setParametersOf, type WrittenParameter } from "./describe-parameters.ts";
import { namesIn } from "./path-segments.ts";
import type { Security } from "./gateway-security.ts";
import type { Decides, ProveOffers } from "./prove-offers.ts";
import type { ReachableOperation } from "./reachable-operations.ts";

/** What the operations of a document are written with. */
type PathSettings = Readonly<{
  version: OpenApiVersion;
  copy: CopyShape;
  security: Security;
  /** Where clients reach the gateway. */
  server: ServerAddress;
  budgets: Budgets;
}>;

/** What operations are written with, and their offers proven. */
type WritingSettings<R> = PathSettings & Readonly<{ decides: Decides; proveOffers: ProveOffers<R> }>;

/** The paths of a document, each with its operations by method. */
export type WrittenPaths = Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;

type Chosen<R> = Readonly<{ placed: ReachableOperation<R>; path: string }>;

/** Writes operations at the places where clients find them; undefined where that comes to too much. */
export function* writePaths<R>(
  placed: readonly ReachableOperation<R>[],
  settings: WritingSettings<R>,
): Steps<WrittenPaths | undefined> {
  const paths = new Map<string, Map<string, JsonObject>>();
  const nameOnce = createNameOnce();
  const { budgets } = settings;
  for (const { placed: one, path } of chooseOperations(placed)) {
    yield;
    const parameters = yield* one.found.parameters();
    if (!(yield* budgets.read.allows([one.found.parts, parameters]))) return undefined;
    const client = alignNames(one.client, path);
    const hasOffers = yield* settings.proveOffers(one, { parameters, set: setParametersOf(one.route.config) });
    const withholds = hasOffers ? () => false : settings.decides;
    const written = yield* writeOperation({ ...one, client }, parameters, { ...settings, withholds });
    const operation = withOwnId(written, nameOnce);
    if (!(yield* budgets.written.allows([path, operation]))) return undefined;
    const item = paths.get(path) ?? new Map<string, JsonObject>();
    paths.set(path, item.set(one.method, operation));
  }
  return Object.fromEntries([...paths].map(([path, item]) => [path, Object.fromEntries(item)]));
}

/** Of several operations at one place, the one whose path is told most exactly counts, as for those who read paths. */
function chooseOperations<R>(placed: readonly ReachableOperation<R>[]): readonly Chosen<R>[] {
  const pathOfShape = new Map<string, string>();
  const chosen = new Map<string, ReachableOperation<R>>();
  for (const one of placed.toSorted(byExactness)) {
    const shape = shapeOf(one.client.path);
    if (!pathOfShape.has(shape)) pathOfShape.set(shape, one.client.path);
    const place = `${one.method} ${shape}`;
    if (!chosen.has(place)) chosen.set(place, one);
  }
  const taken = new Set(chosen.values());
  return placed
    .filter((one) => taken.has(one) && hasDistinctNames(one))
    .map((one) => ({ placed: one, path: pathOfShape.get(shapeOf(one.client.path))! }));
}

/** What is there for all hosts comes before what is there for one. */
function byExactness(left: ReachableOperation<unknown>, right: ReachableOperation<unknown>): number {
  const [ofAll, ofOne] = [left, right].map(({ route }) => Number(route.config.UpstreamHost !== undefined));
  return ofAll! - ofOne! || left.found.names - right.found.names;
}

/** A path that names a parameter twice is none. */
function hasDistinctNames({ client }: ReachableOperation<unknown>): boolean {
  const names = namesIn(client.path);
  return new Set(names).size === names.length;
}

function* writeOperation<R>(
  { found, client, route }: ReachableOperation<R>,
  written: readonly WrittenParameter[],
  settings: PathSettings & Readonly<{ withholds: Decides }>,
): Steps<JsonObject> {
  const { copy, security, version, server } = settings;
  const { operation } = found;
  const { responses, ...copied } = (yield* copy(operation, "operation")) as Readonly<{ responses?: object }>;
  const parameters = yield* describeParameters(written, { client, set: setParametersOf(route.config) }, settings);
  const servers = serversOfHost(route.config.UpstreamHost, server, version);
  const required = yield* security.of(route.config, operation);
  return {
    ...copied,
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: Object.keys(responses ?? {}).length > 0 ? responses : { default: { description: "" } },
    ...(required === undefined ? {} : { security: required }),
    ...(servers === undefined ? {} : { servers }),
  };
}

/** An operation at several places has several ids. */
function withOwnId(operation: JsonObject, nameOnce: (wanted: string) => string): JsonObject {
  const { operationId: id } = operation;
  return typeof id === "string" ? { ...operation, operationId: nameOnce(id) } : operation;
}
