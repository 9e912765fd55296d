import type { GatewayConfig } from "../config/gateway-config.ts";
import { createExplain } from "../explain/explain-request.ts";
import type { Explanation } from "../explain/explanation.ts";
import { maskByConfig } from "../explain/mask-by-config.ts";
import type { Probe } from "./read-probes.ts";

/** A request that another configuration would send elsewhere. */
export type MovedRequest = Readonly<{ request: string; before: string; after: string }>;

/** Finds the requests that would be sent to another URL, with another method, or would be answered otherwise. */
export function findMovedRequests(
  probes: readonly Probe[],
  before: GatewayConfig,
  after: GatewayConfig,
): MovedRequest[] {
  const explainBefore = createExplain(before);
  const explainAfter = createExplain(after);
  return probes.flatMap((probe) => {
    const old = explainBefore(probe);
    const young = explainAfter(probe);
    if (destinationOf(old) === destinationOf(young)) return [];
    const { request } = maskByConfig(before, old);
    return [
      {
        request: `${request.method} ${probe.host === undefined ? "" : `http://${probe.host}`}${request.path}`,
        before: describe(maskByConfig(before, old)),
        after: describe(maskByConfig(after, young)),
      },
    ];
  });
}

/** Where a request ends up, whatever the route is called. */
function destinationOf({ outcome, forwarded, refusal, parts = [] }: Explanation): string {
  const calls = parts.map(({ key, forwarded: sent }) => [key, sent?.method, sent?.url, sent?.otherOrigins]);
  return JSON.stringify([outcome, forwarded?.method, forwarded?.url, forwarded?.otherOrigins, refusal?.code, calls]);
}

function describe({ route, forwarded, refusal, parts }: Explanation): string {
  if (route === undefined) return "no route: 404";
  if (forwarded !== undefined) return `route ${route}: ${forwarded.method} ${forwarded.url}`;
  if (refusal === undefined && parts !== undefined)
    return `aggregate ${route}: ${parts.map(({ key, forwarded: sent }) => `${key} by ${sent?.method} ${sent?.url}`).join(", ")}`;
  return `route ${route}: refused with ${refusal?.status} ${refusal?.code}`;
}
