import { Readable } from "node:stream";
import type { OutgoingRequest } from "../delegating-handler.ts";
import type { RouteHosts } from "../hosts/route-hosts.ts";
import { type Call, moveTo } from "./call.ts";
import { codeOf } from "./failure-code.ts";
import { isFailureOfBody } from "./failure-of-body.ts";

/** Gives a call the next host where the first one has refused the connection; whether there is one. */
export function goToNextHostIfRefused(failure: unknown, call: Call, hosts: Pick<RouteHosts, "another">): boolean {
  const next = isRefused(failure, call.outgoing) ? hosts.another(call.lease, call.asker) : undefined;
  if (next === undefined) return false;
  call.lease.failed();
  moveTo(call, next);
  call.observation?.sending(call.outgoing);
  return true;
}

/** Whether the host itself has refused: a body that user code gives may come from elsewhere, and be refused there. */
function isRefused(failure: unknown, outgoing: OutgoingRequest): boolean {
  if (codeOf(failure) !== "ECONNREFUSED") return false;
  const { body } = outgoing;
  return !(body instanceof Readable) || (!body.readableDidRead && !isFailureOfBody(failure, outgoing));
}
