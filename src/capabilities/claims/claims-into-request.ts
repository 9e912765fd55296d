import { defineCapability, type RoutePart } from "../capability.ts";
import { createClaimsIntoHeaders } from "./claims-into-headers.ts";
import { createClaimsIntoPath } from "./claims-into-path.ts";
import { createClaimsIntoQuery } from "./claims-into-query.ts";
import { parseExpressions } from "./claim-for-request.ts";

/** Puts claims into the downstream path. */
export const claimsIntoPath = defineCapability("claims-into-path", {
  compile({ ChangeDownstreamPathTemplate, DownstreamPathTemplate }): RoutePart | undefined {
    const expressions = parseExpressions(ChangeDownstreamPathTemplate);
    if (expressions.length === 0) return undefined;
    return { changeTarget: createClaimsIntoPath(expressions, DownstreamPathTemplate) };
  },
});

/** Puts claims into headers. */
export const claimsIntoHeaders = defineCapability("claims-into-headers", {
  compile({ AddHeadersToRequest }): RoutePart | undefined {
    const expressions = parseExpressions(AddHeadersToRequest);
    return expressions.length === 0 ? undefined : { changeRequest: createClaimsIntoHeaders(expressions) };
  },
});

/** Puts claims into the query. */
export const claimsIntoQuery = defineCapability("claims-into-query", {
  compile({ AddQueriesToRequest, DownstreamPathTemplate }): RoutePart | undefined {
    const expressions = parseExpressions(AddQueriesToRequest);
    if (expressions.length === 0) return undefined;
    return { changeRequest: createClaimsIntoQuery(expressions, DownstreamPathTemplate) };
  },
});
