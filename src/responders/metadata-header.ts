import { GatewayError } from "../errors.ts";
import type { GatewayContext, Responder, ResponderStart, UpstreamResponse } from "../delegating-handler.ts";
import { givenHeaders } from "../headers/given-headers.ts";
import { findHeaderNameFault } from "../headers/header-name.ts";
import { chooseLogger } from "../logging/logger.ts";
import { type OptionNames, refuseUnknownOptions } from "../options/refuse-unknown-options.ts";
import type { Route } from "../route.ts";
import { describeSecret } from "../secrets/describe-secret.ts";
import { runAtOnce, runInSlices, type Steps } from "../time-slices.ts";
import { formatMetadata, selectKeys, type SelectMetadata } from "./metadata-json.ts";
import { oncePerRoute } from "./once-per-route.ts";

/** What {@link metadataHeader} takes. */
export type MetadataHeaderOptions = Readonly<{
  /** Name of the header; `GW-Route-Metadata` by default. */
  header?: string;
  /** Which metadata keys clients may see; all by default. */
  select?: SelectMetadata;
  /** Longest value of the header in bytes, 8192 by default; a longer one gives way to `<header>-Truncated: true`. */
  maxHeaderBytes?: number;
}>;

/** The names of all of them. */
export const metadataHeaderOptionNames: OptionNames<MetadataHeaderOptions> = {
  header: true,
  select: true,
  maxHeaderBytes: true,
};

/** A responder together with the hooks that another responder around it has to hand on. */
export type HookedResponder = Responder & Required<Pick<Responder, "matched" | "started">>;

type Respond = () => Promise<void>;

// Node's own clients give up at 16 KiB for all headers together.
const defaultMaxHeaderBytes = 8_192;

/** Makes a responder that tells the route's metadata in a header of every answer, and leaves the body alone. */
export function metadataHeader(options: MetadataHeaderOptions = {}): HookedResponder {
  refuseUnknownOptions(options, metadataHeaderOptionNames, "metadataHeader()");
  const { header = "GW-Route-Metadata", select = () => true, maxHeaderBytes = defaultMaxHeaderBytes } = options;
  refuseBadName(header);
  const truncated = `${header}-Truncated`;
  const ownName = header.toLowerCase();
  const ownNote = truncated.toLowerCase();
  const suspicious = new Set<string>();
  let logger = chooseLogger(undefined);
  let isRunning = false;
  const fieldOf = oncePerRoute(createField);
  return Object.assign(respondWithHeader, { matched, started });

  function respondWithHeader(upstream: UpstreamResponse, _context: GatewayContext, respond: Respond): Promise<void> {
    const headers = (upstream.headers = givenHeaders(upstream.headers));
    if (headers[ownName] !== undefined) delete headers[ownName];
    if (headers[ownNote] !== undefined) delete headers[ownNote];
    return respond();
  }

  /** Set this early, the header is on errors and on the answers of middleware as well. */
  function matched({ res, route }: GatewayContext): void {
    const { name, value } = fieldOf(route);
    res.setHeader(name, value);
  }

  function started(start: ResponderStart): void {
    ({ logger } = start);
    // While a gateway runs, its requests must not wait until all of many routes are looked at.
    if (isRunning) visitLater(start, fieldOf);
    else runAtOnce(visitEach(start.routes.values(), fieldOf));
    isRunning = true;
  }

  function createField(route: Route): Readonly<{ name: string; value: string }> {
    const keys = selectKeys(route, select);
    keys.forEach((key) => warnOfSecret(key, route));
    const value = formatMetadata(route, keys);
    if (value.length <= maxHeaderBytes) return { name: header, value };
    logger.warn(
      { route: route.id, bytes: value.length, maxHeaderBytes },
      `The metadata of route ${JSON.stringify(route.id)} is too long for a header: ${truncated} is sent instead of ${header}. ` +
        "Leave keys out with the option select, or raise maxHeaderBytes.",
    );
    return { name: truncated, value: "true" };
  }

  function warnOfSecret(key: string, route: Route): void {
    const reason = suspicious.has(key) ? undefined : describeSecret(key, route.metadata[key]!, route);
    if (reason === undefined) return;
    suspicious.add(key);
    logger.warn(
      { route: route.id, key },
      `The metadata key ${JSON.stringify(key)} ${reason}, and clients can read it in ${header}. Leave it out with the option select.`,
    );
  }
}

function visitLater({ routes, logger }: ResponderStart, visit: (route: Route) => unknown): void {
  runInSlices(visitEach(routes.values(), visit)).catch((error: unknown) => {
    logger.error({ err: error }, "The metadata of a route cannot be told; requests to that route will fail, too.");
  });
}

function* visitEach(routes: Iterable<Route>, visit: (route: Route) => unknown): Steps<void> {
  for (const route of routes) {
    yield;
    visit(route);
  }
}

function refuseBadName(header: string): void {
  const fault = findHeaderNameFault(header);
  if (fault === undefined) return;
  throw new GatewayError(
    "option-invalid",
    `The option header is ${JSON.stringify(header)}, which is ${fault === "invalid" ? "no header name" : "a header that is not ours to set"}; ` +
      'expected a name such as "GW-Route-Metadata".',
  );
}
