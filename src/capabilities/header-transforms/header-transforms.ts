import type { RouteConfig } from "../../config/sections.ts";
import { type CapabilitySurroundings, defineCapability, type RoutePart } from "../capability.ts";
import type { Direction } from "./change.ts";
import { type ChangeHeaders, createChangeHeaders } from "./change-headers.ts";
import { effectiveTransforms } from "./effective-transforms.ts";
import { createFindFill } from "./placeholders.ts";

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
  const { global } = surroundings;
  const change = (direction: Direction): ChangeHeaders | undefined =>
    createChangeHeaders(effectiveTransforms(direction, own, global), fillingFor(direction, surroundings));
  const [ofRequest, ofAnswer] = [change("request"), change("answer")];
  if (ofRequest === undefined && ofAnswer === undefined) return undefined;
  return {
    ...(ofRequest && { changeRequest: ({ headers }, exchange) => ofRequest(headers, exchange) }),
    ...(ofAnswer && { changeAnswer: ({ headers }, exchange) => ofAnswer(headers, exchange) }),
  };
}

/** Makes what a route's transforms will do with one header of a request; undefined where they leave it as it is. */
export function createChangeHeader(
  name: string,
  own: Pick<RouteConfig, "UpstreamHeaderTransform">,
  surroundings: CapabilitySurroundings,
): ChangeHeaders | undefined {
  const transform = effectiveTransforms("request", own, surroundings.global).get(name);
  if (transform === undefined) return undefined;
  return createChangeHeaders(new Map([[name, transform]]), fillingFor("request", surroundings));
}

function fillingFor(direction: Direction, { global, options, logger }: CapabilitySurroundings) {
  return {
    direction,
    findFill: createFindFill(direction, global.BaseUrl, options.headerPlaceholders),
    tellUnknown: (header: string) => (placeholder: string) => {
      const found = `nothing is known as {${placeholder}} in the ${direction}'s header ${JSON.stringify(header)}`;
      logger.warn({ header, placeholder }, `Header transform: ${found}, so that nothing is set there.`);
    },
  };
}
