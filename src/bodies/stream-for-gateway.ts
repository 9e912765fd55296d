import type { Readable } from "node:stream";
import type { UpstreamResponse } from "../delegating-handler.ts";

/** Gives the body as a stream without noting that user code has it. */
export const openForGateway = Symbol("openForGateway");

const readByGateway = new WeakSet<Readable>();

/** Notes that the gateway itself reads a body by a loop. */
export function noteReadByGateway(body: Readable): void {
  readByGateway.add(body);
}

/** Whether the loop that reads a body is the gateway's own. */
export function isReadByGateway(body: Readable): boolean {
  return readByGateway.has(body);
}

/** The body of an answer as a stream that the gateway reads itself. */
export function streamForGateway(
  answer: Pick<UpstreamResponse, "body"> & { readonly [openForGateway]?: () => Readable },
): Readable {
  return answer[openForGateway]?.() ?? answer.body;
}
