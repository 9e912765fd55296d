import type { RouteConfig } from "../../config/sections.ts";
import { createTransform } from "../../headers/transforms/transform.ts";
import { type CapabilitySurroundings, defineCapability, type RoutePart } from "../capability.ts";

/** Makes what a route does with headers; routes that do the same share it. */
type PartOf = (config: RouteConfig) => RoutePart | undefined;

/** Changes the headers of requests behind the user's middleware, and those of answers before the responder. */
export const headerTransforms = defineCapability<PartOf>("header transforms", {
  prepare: (surroundings) => shareParts(surroundings),
  compile: (config, partOf) => partOf(config),
});

function shareParts(surroundings: CapabilitySurroundings): PartOf {
  const parts = new Map<string, RoutePart | undefined>();
  const ofAll = createPart({}, surroundings);

  return function partOf({ UpstreamHeaderTransform: upstream, DownstreamHeaderTransform: downstream }) {
    if (upstream === undefined && downstream === undefined) return ofAll;
    const own = { UpstreamHeaderTransform: upstream, DownstreamHeaderTransform: downstream };
    const key = JSON.stringify(own);
    if (!parts.has(key)) parts.set(key, createPart(own, surroundings));
    return parts.get(key);
  };
}

function createPart(
  own: Pick<RouteConfig, "UpstreamHeaderTransform" | "DownstreamHeaderTransform">,
  surroundings: CapabilitySurroundings,
): RoutePart | undefined {
  const ofRequest = createTransform("request", own, surroundings);
  const ofAnswer = createTransform("answer", own, surroundings);
  if (ofRequest === undefined && ofAnswer === undefined) return undefined;
  return {
    ...(ofRequest && { changeRequest: ({ headers }, exchange) => ofRequest(headers, exchange) }),
    ...(ofAnswer && { changeAnswer: ({ headers }, exchange) => ofAnswer(headers, exchange) }),
  };
}
