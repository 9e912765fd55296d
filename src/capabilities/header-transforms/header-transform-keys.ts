import { headerTransforms } from "../../schema/key.ts";

const upstream = {
  type: "texts or objects by header name",
  problems: ["transform-invalid", "header-name-invalid", "header-name-reserved", "transform-without-effect"],
  ocelot: "all values of a header are changed; placeholders may stand within a text; objects are new",
} as const;

const downstream = {
  type: "texts or objects by header name",
  problems: ["transform-invalid", "header-name-invalid", "header-name-reserved"],
  ocelot: "the same; names match in any case",
} as const;

/** What becomes of headers on their way. */
export const headerTransformKeys = {
  route: {
    UpstreamHeaderTransform: headerTransforms({
      ...upstream,
      means: "What becomes of the headers of requests; see [headers](headers.md)",
      otherwise: "global",
      examples: [{ "X-Client": "{RemoteIpAddress}" }],
    }),
    DownstreamHeaderTransform: headerTransforms({
      ...downstream,
      means: "What becomes of the headers of answers; see [headers](headers.md)",
      otherwise: "global",
      examples: [{ Location: "{DownstreamBaseUrl}, {BaseUrl}" }],
    }),
  },
  global: {
    UpstreamHeaderTransform: headerTransforms({
      ...upstream,
      means: "The same for all routes; a route's entry of a name goes before it",
      otherwise: "none",
    }),
    DownstreamHeaderTransform: headerTransforms({
      ...downstream,
      means: "The same for all routes; a route's entry of a name goes before it",
      otherwise: "none",
    }),
  },
} as const;
