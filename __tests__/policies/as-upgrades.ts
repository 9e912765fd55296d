import { stepsOf } from "./run-trace.ts";
import { type Trace, type TraceExchange, upgradeHeaders } from "./trace.ts";

/** A settled trace whose requests ask for WebSockets: who may not come in with a request may not with an upgrade. */
export function asUpgrades(settled: Trace): Trace {
  return {
    ...settled,
    config: settled.config.replaceAll('"DownstreamScheme":"http"', '"DownstreamScheme":"ws"'),
    steps: stepsOf(settled).map((step) => ("request" in step ? toUpgrade(step) : step)),
  };
}

function toUpgrade({ request, answer, arrived }: TraceExchange): TraceExchange {
  const asked = { ...request, headers: { ...request.headers, ...upgradeHeaders } };
  if (arrived.length === 0) return { request: asked, answer, arrived };
  // Whatever a handler makes of the status, a socket has no body.
  const status = answer.status === 200 ? 101 : answer.status;
  return { request: asked, answer: { ...answer, status, body: "" }, arrived };
}

/** Whether the requests of a trace could be upgrades: by GET, without a body, answered by nothing but the downstream. */
export function canBeUpgrades({ config, files, startError, downstreams, steps = [] }: Trace): boolean {
  const answersOtherwise = Object.values(downstreams).some(({ status, perCall }) => (status ?? perCall) !== undefined);
  if (files !== undefined || startError !== undefined || answersOtherwise) return false;
  if (/"DownstreamScheme":"ws"|"(Aggregates|DynamicRoutes)":/.test(config)) return false;
  return steps.every((step) => "wait" in step || ("request" in step && isAskedDownstream(step)));
}

/** A cache would answer a request, and no upgrade. */
function isAskedDownstream({ request, answer, arrived }: TraceExchange): boolean {
  if (arrived.length === 0 && answer.status < 400) return false;
  return request.method === "GET" && request.body === undefined;
}
