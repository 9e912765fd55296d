import { type HookedResponder, metadataResponder } from "../src/index.ts";

/** Names the route in a header of every upstream answer, and leaves the rest to the metadata responder. */
export function createResponder(): HookedResponder {
  const respondWithMetadata = metadataResponder();
  const { matched, started } = respondWithMetadata;
  return Object.assign(respondByRoute, { matched, started });

  function respondByRoute(...[upstream, context, respond]: Parameters<HookedResponder>): void | Promise<void> {
    upstream.headers["x-answered-by-route"] = context.route.id;
    return respondWithMetadata(upstream, context, respond);
  }
}
