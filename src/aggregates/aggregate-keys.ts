import { matchingKeys } from "../routing/matching-keys.ts";
import { defineSection, list, metadata, methods, scalar, sections, type ValuesOf, word } from "../schema/key.ts";
import { count, httpMethods, oneOf, text, texts } from "../schema/values.ts";

/** One element of `RouteKeysConfig`. */
const valuesSection = defineSection(
  { name: "partValues", heading: "RouteKeysConfig", isLock: true },
  {
    RouteKey: scalar(text, {
      type: "text",
      means: "The part that is asked once for each value",
      otherwise: "required",
      examples: ["users"],
      problems: ["part-values-invalid"],
      ocelot: "one that is no further part is refused, not passed over",
    }),
    JsonPath: scalar(text, {
      type: "JSON path",
      means: "Where the values stand in the first part's answer: names, indexes, `*`, `..` and filters by equality",
      otherwise: "required",
      examples: ["$[*].userId", "$.items[?(@.open == true)].id"],
      problems: ["part-values-invalid"],
      ocelot: "any other path stops the start",
    }),
    Parameter: scalar(text, {
      type: "text",
      means: "The placeholder of the part that a value fills, with or without braces",
      otherwise: "required",
      examples: ["userId"],
      problems: ["part-values-invalid"],
      ocelot: "values are encoded; a value wins over the aggregate's own placeholder of that name",
    }),
  },
);

const { UpstreamPathTemplate, UpstreamHost, UpstreamHeaderTemplates, RouteIsCaseSensitive, Priority } =
  matchingKeys.route;

/** One element of `Aggregates`: a path that answers with what several routes answer. */
const aggregateSection = defineSection(
  { name: "aggregate", heading: "Aggregates", isLock: true },
  {
    Key: scalar(text, {
      type: "text",
      means: "The name of the aggregate in logs, errors and `gateway.routes`",
      otherwise: "`aggregate-` and its index",
      problems: ["route-key-repeated"],
    }),
    UpstreamPathTemplate,
    UpstreamHttpMethod: methods(httpMethods, {
      type: "list of methods",
      means: "The methods that the aggregate takes; each of its parts takes them, too",
      otherwise: "GET",
      examples: [["GET"]],
      problems: ["part-method", "method-never-seen", "list-as-text", "lock-value-empty"],
      ocelot: "what is written counts alone: GET is not added",
      restricts: true,
    }),
    UpstreamHost,
    UpstreamHeaderTemplates,
    RouteIsCaseSensitive,
    Priority,
    RouteKeys: list(texts, {
      type: "list of texts",
      means: "The parts: the `Key`s of routes, in the order of the answer. With one only, its answer passes as it is",
      otherwise: "required",
      examples: [["users", "orders"]],
      problems: ["parts-missing", "part-unknown", "part-unfilled", "part-condition", "part-request-id"],
      ocelot: "the methods, hosts and header templates of the parts count",
    }),
    RouteKeysConfig: sections(valuesSection, {
      type: "list of objects",
      means: "Parts that are asked once for each value that the first part's answer holds",
      otherwise: "none",
      problems: ["part-values-invalid"],
      ocelot: "same, but for what its keys tell",
    }),
    Aggregator: scalar(text, {
      type: "text",
      means: "The function that makes one answer of those of the parts, by its name in the option `aggregators`",
      otherwise: "one JSON object",
      examples: ["mergeOrders"],
      ocelot: "the names are those of the option `aggregators`, and an unknown one stops the start",
    }),
    OnFailure: word(oneOf(["Fail", "Null"], "wrong-type"), {
      type: "`Fail` `Null`",
      means:
        "Whether a part that cannot be asked ends the whole, or is `null` in it; a refusal of 401, 403 or 429 always ends it",
      otherwise: "`Fail`",
    }),
    MaxCalls: scalar(count, {
      type: "whole number",
      means: "How many calls `RouteKeysConfig` may come to; more are answered with 502",
      otherwise: "100",
    }),
    Metadata: metadata({
      type: "object",
      means: "The aggregate's own metadata; see [metadata](metadata.md)",
      otherwise: "none",
    }),
  },
);

/** What was written for one aggregate. */
export type AggregateConfig = ValuesOf<(typeof aggregateSection)["keys"]>;

/** One element of its `RouteKeysConfig`, as far as it is written. */
export type PartValuesConfig = ValuesOf<(typeof valuesSection)["keys"]>;

/** The keys of aggregates. */
export const aggregateKeys = {
  root: {
    Aggregates: sections(aggregateSection, {
      type: "list of objects",
      means: "Paths that answer with what several routes answer; see [aggregates](aggregates.md)",
      otherwise: "none",
      ocelot:
        "always valid JSON; statuses in `Aggregate-Status`; see [what differs](aggregates.md#what-differs-from-ocelot)",
    }),
  },
} as const;
