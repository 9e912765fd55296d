import type { Readable } from "node:stream";
import type { UpstreamResponse } from "../../delegating-handler.ts";

/** The body's length where it is known without reading it. */
export const knownLength = Symbol("knownLength");

/** Gives the body as a stream without noting that user code has it. */
export const openForGateway = Symbol("openForGateway");

/** The body of an answer as a stream that the gateway reads itself. */
export function streamForGateway(
  answer: Pick<UpstreamResponse, "body"> & { readonly [openForGateway]?: () => Readable },
): Readable {
  return answer[openForGateway]?.() ?? answer.body;
}
