import type { Responder, UpstreamResponse } from "../exchange.ts";
import { decompress } from "./decompress.ts";
import { withUtf8 } from "./media-type.ts";
import { type HookedResponder, metadataHeader, type MetadataHeaderOptions } from "./metadata-header.ts";
import { formatMetadata, selectKeys } from "./metadata-json.ts";
import { perRoute } from "./per-route.ts";
import { type BodyPlan, type DecompressScope, planBody } from "./plan-body.ts";
import { type ChoosePassage, relayBody } from "./relay-body.ts";
import { replaceBody, returnBody } from "./replace-body.ts";
import { createWrapping, formatSuffix, type WrapPassage } from "./wrap-json.ts";

/** What {@link metadataResponder} takes. */
export type MetadataResponderOptions = MetadataHeaderOptions &
  Readonly<{
    /** Which bodies are decompressed: all that can be (the default), or only those of JSON that is to be wrapped. */
    decompress?: DecompressScope;
    /** How many bytes a decompressed body may have; 100 MiB by default. */
    maxBytes?: number;
  }>;

const defaultMaxBytes = 100 * 1024 * 1024;

/** Makes a responder that tells the route's metadata in a header, and in a JSON object around a JSON body. */
export function metadataResponder(options: MetadataResponderOptions = {}): HookedResponder {
  const { decompress: scope = "all", maxBytes = defaultMaxBytes, select = () => true } = options;
  const respondWithHeader = metadataHeader(options);
  const wrappingOf = perRoute((route) => ({
    suffix: formatSuffix(formatMetadata(route, selectKeys(route, select))),
    isOn: route.getMetadata("disableMetadataJson", "bool?") !== true,
  }));
  const { matched, started } = respondWithHeader;
  return Object.assign(respondWithMetadata, { matched, started });

  function respondWithMetadata(...call: Parameters<Responder>): void | Promise<void> {
    const [upstream, context] = call;
    const wrapping = wrappingOf(context.route);
    const plan = planBody(upstream, { method: context.req.method, wrapsJson: wrapping.isOn, scope });
    if (plan === undefined) return respondWithHeader(...call);
    return changeBody(upstream, plan, wrapping.suffix).then(() => respondWithHeader(...call));
  }

  async function changeBody(upstream: UpstreamResponse, { coding, charset }: BodyPlan, suffix: Buffer): Promise<void> {
    const { headers } = upstream;
    const source = coding === undefined ? upstream.body : decompress(upstream.body, coding, maxBytes);
    const choose = charset === undefined ? passUnchanged : createWrapping(charset, suffix);
    const { body, passage } = await relayBody(source, choose);
    if (coding === undefined && !passage.wraps) {
      returnBody(upstream, body);
      return;
    }
    replaceBody(upstream, body);
    if (coding !== undefined) headers["content-encoding"] = "identity";
    if (passage.wraps && charset !== "utf-8") headers["content-type"] = withUtf8(String(headers["content-type"]));
  }
}

/** The first bytes are waited for nevertheless: what is corrupt from the start can still be answered as an error. */
const passUnchanged: ChoosePassage<WrapPassage> = (head, isWhole) => {
  return head.length > 0 || isWhole ? { wraps: false, start: head } : undefined;
};
