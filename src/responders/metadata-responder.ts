import type { GatewayContext, UpstreamResponse } from "../delegating-handler.ts";
import { givenHeaders } from "../headers/given-headers.ts";
import { type OptionNames, refuseUnknownOptions } from "../options/refuse-unknown-options.ts";
import { changeBody } from "./changing/change-body.ts";
import {
  type HookedResponder,
  metadataHeader,
  metadataHeaderOptionNames,
  type MetadataHeaderOptions,
} from "./metadata-header.ts";
import { formatMetadata, selectKeys } from "./metadata-json.ts";
import { oncePerRoute } from "./once-per-route.ts";
import { type DecompressScope, planBody } from "./changing/which-bodies-change.ts";
import { formatSuffix } from "./changing/wrap-json.ts";

/** What {@link metadataResponder} takes. */
export type MetadataResponderOptions = MetadataHeaderOptions &
  Readonly<{
    /** Which bodies are decompressed: all that can be (the default), or only those of JSON that is to be wrapped. */
    decompress?: DecompressScope;
    /** How many bytes a decompressed body may have; 100 MiB by default. */
    maxBytes?: number;
  }>;

const metadataResponderOptionNames: OptionNames<MetadataResponderOptions> = {
  ...metadataHeaderOptionNames,
  decompress: true,
  maxBytes: true,
};

const defaultMaxBytes = 100 * 1024 * 1024;

/** Makes a responder that tells the route's metadata in a header, and in a JSON object around a JSON body. */
export function metadataResponder(options: MetadataResponderOptions = {}): HookedResponder {
  refuseUnknownOptions(options, metadataResponderOptionNames, "metadataResponder()");
  const { decompress: scope = "all", maxBytes = defaultMaxBytes, ...ofHeader } = options;
  const { select = () => true } = ofHeader;
  const respondWithHeader = metadataHeader(ofHeader);
  const wrappingOf = oncePerRoute((route) => ({
    suffix: formatSuffix(formatMetadata(route, selectKeys(route, select))),
    isOn: route.getMetadata("disableMetadataJson", "bool?") !== true,
  }));
  const { matched, started } = respondWithHeader;
  return Object.assign(respondWithMetadata, { matched, started });

  function respondWithMetadata(
    upstream: UpstreamResponse,
    context: GatewayContext,
    respond: () => Promise<void>,
  ): void | Promise<void> {
    const { suffix, isOn } = wrappingOf(context.route);
    // A responder of the user's may have set them before it calls this one.
    upstream.headers = givenHeaders(upstream.headers);
    const plan = planBody(upstream, { method: context.req.method, wrapsJson: isOn, scope });
    const change = plan === undefined ? undefined : changeBody(upstream, plan, { suffix, maxBytes });
    if (change === undefined) return respondWithHeader(upstream, context, respond);
    return change.then(() => respondWithHeader(upstream, context, respond));
  }
}
