import type { GlobalConfig, RouteConfig } from "../../config/sections.ts";
import type { Logger } from "../../logging/logger.ts";
import type { GatewayOptions } from "../../options/options.ts";
import type { Direction } from "./change.ts";
import { type ChangeHeaders, createChangeHeaders, type Filling } from "./change-headers.ts";
import { effectiveTransforms } from "./effective-transforms.ts";
import { createFindFill } from "./placeholders.ts";

type Surroundings = Readonly<{ global: GlobalConfig; options: GatewayOptions; logger: Logger }>;

/** Makes what the transforms of a route, and those for all routes, do with headers; undefined where that is nothing. */
export function createTransform(
  direction: Direction,
  own: Pick<RouteConfig, "UpstreamHeaderTransform" | "DownstreamHeaderTransform">,
  surroundings: Surroundings,
): ChangeHeaders | undefined {
  const transforms = effectiveTransforms(direction, own, surroundings.global);
  return createChangeHeaders(transforms, fillingFor(direction, surroundings));
}

/** Makes what they will do with one header of a request; undefined where they leave it as it is. */
export function createTransformOfOne(
  name: string,
  own: Pick<RouteConfig, "UpstreamHeaderTransform">,
  surroundings: Surroundings,
): ChangeHeaders | undefined {
  const transform = effectiveTransforms("request", own, surroundings.global).get(name);
  if (transform === undefined) return undefined;
  return createChangeHeaders(new Map([[name, transform]]), fillingFor("request", surroundings));
}

function fillingFor(direction: Direction, { global, options, logger }: Surroundings): Filling {
  return {
    direction,
    findFill: createFindFill(direction, global.BaseUrl, options.headerPlaceholders),
    tellUnknown: (header: string) => (placeholder: string) => {
      const found = `nothing is known as {${placeholder}} in the ${direction}'s header ${JSON.stringify(header)}`;
      logger.warn({ header, placeholder }, `Header transform: ${found}, so that nothing is set there.`);
    },
  };
}
