import type { UpstreamResponse } from "../delegating-handler.ts";
import { GatewayError } from "../errors.ts";
import type { PartExchange } from "./begin-part.ts";
import type { Exchange } from "./exchange.ts";

/** Lets those who watch the whole watch the call of a part as well. */
export function watchPart(call: PartExchange, whole: Exchange): void {
  const observation = whole.observation?.part(call);
  if (observation === undefined) return;
  call.observation = observation;
  call.cancellation.onCancel(observation.left);
}

/** Sends a call, and tells what has become of it. */
export async function sendWatched(
  call: PartExchange,
  send: () => Promise<UpstreamResponse>,
): Promise<UpstreamResponse> {
  call.observation?.begun();
  try {
    const answer = await send();
    call.observation?.settled(answer.status);
    return answer;
  } catch (reason) {
    noteFailed(call, reason);
    throw reason;
  }
}

/** Tells that a call has failed, or was refused. */
export function noteFailed({ observation }: PartExchange, reason: unknown): void {
  const { code, status } = reason instanceof GatewayError ? reason : { code: "handler-failed", status: 500 };
  observation?.failed(code);
  observation?.settled(status);
}
