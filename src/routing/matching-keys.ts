import { flag, httpMethods, integer, text } from "../schema/values.ts";
import { headerTemplates, methods, required, scalar } from "../schema/key.ts";

/** By what a route is found. */
export const matchingKeys = {
  route: {
    Key: scalar(text, {
      type: "text",
      means: "The name of the route in logs, errors, `gateway.routes` and the `RouteKeys` of aggregates",
      otherwise: "the index",
      problems: ["route-key-repeated", "route-key-index"],
      ocelot: "same; it names the route in logs, errors and `gateway.routes` as well",
    }),
    UpstreamPathTemplate: required(
      scalar(text, {
        type: "template",
        means: "What a client's path, and query, look like; see [routing](routing.md)",
        otherwise: "required",
        examples: ["/orders/{id}", "/shop/{everything}"],
        problems: [
          "template-missing",
          "template-slash",
          "template-double-slash",
          "template-scheme",
          "placeholder-unclosed",
          "placeholder-empty",
          "placeholder-ill-named",
          "placeholder-stray",
          "placeholder-repeated",
          "query-template",
          "route-repeated",
          "route-unreachable",
          "routes-overlap",
          "lock-bypassed",
          "websockets-closed",
        ],
        ocelot:
          "literal text is literal; the parameters of a query template match in any order; a placeholder that must have a value and finds none does not match",
      }),
    ),
    UpstreamHttpMethod: methods(httpMethods, {
      type: "list of methods",
      means: "The methods that the route takes",
      otherwise: "all but TRACE and CONNECT",
      examples: [["GET", "POST"]],
      problems: ["method-never-seen", "list-as-text", "list-empty", "lock-value-empty"],
      ocelot: "same",
      restricts: true,
    }),
    UpstreamHost: scalar(text, {
      type: "text",
      means: "The host that the client must ask for, with its port only if written here",
      otherwise: "any host",
      examples: ["api.example.org"],
      problems: ["host-never-matches", "lock-value-empty"],
      ocelot: "same",
      restricts: true,
    }),
    UpstreamHeaderTemplates: headerTemplates({
      type: "object of templates",
      means: "Headers that must be there and match; their placeholders are the route's",
      otherwise: "none",
      examples: [{ "X-Tenant": "{tenant}" }],
      problems: [
        "header-name-invalid",
        "header-name-reserved",
        "placeholder-repeated",
        "list-empty",
        "lock-value-empty",
      ],
      ocelot: "same",
      restricts: true,
    }),
    RouteIsCaseSensitive: scalar(flag, {
      type: "boolean",
      means: "Whether literal text in the path is compared with case",
      otherwise: "`false`",
      ocelot: "same",
    }),
    Priority: scalar(integer, {
      type: "whole number",
      means: "Routes with a higher one are tried first",
      otherwise: "1 (`/{x}`: always 0)",
      problems: ["priority-ignored"],
      ocelot: "same",
    }),
  },
} as const;
