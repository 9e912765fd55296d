import { bareServiceName } from "../capabilities/naming-service/bare-service-name.ts";
import { createFillTemplate, type PlaceholderValues } from "../templates/fill-template.ts";
import { placeholderText } from "../templates/placeholder-text.ts";
import { parseTemplate, placeholderNames } from "../templates/template.ts";
import {
  guardServiceName,
  guardServiceNameValue,
  isServiceName,
  type ServiceGuard,
} from "../capabilities/naming-service/guard-service-name.ts";
import { pathOf, queryOf } from "../urls/path-and-query.ts";
import { identitiesOf, readQueryTemplate } from "./template-parameters.ts";
import { createFillQuery, type MatchedQuery, type QuerySettings } from "./resolve-query.ts";

/** What is forwarded of one matched request. */
export type MatchedTarget = MatchedQuery & Readonly<{ path: string }>;

/** What a route says about its downstream path. */
type DownstreamSettings = QuerySettings & Readonly<{ pathTemplate: string }>;

/** Path and query of the target, and what the naming service must still read in it. */
export type DownstreamPath = Readonly<{ path: string; service: ServiceGuard | undefined }>;

/** Prepares how a route's downstream path is made from a request. */
export function createResolvePath(settings: DownstreamSettings): (matched: MatchedTarget) => DownstreamPath {
  const written = queryOf(settings.pathTemplate);
  // A question mark with nothing behind it asks for no query of its own.
  const queryText = written === "" ? undefined : written;
  const fillPath = createFillPath(settings);
  const fillQuery = createFillQuery(queryText, settings);
  const fillService = createFillService(settings);
  const named = queryText === undefined ? [] : readQueryTemplate(queryText).named;
  const allowNameParameter = settings.allowNameParameter || identitiesOf(named).has("servicename");

  return function resolvePath(matched) {
    const path = fillPath(matched);
    const query = fillQuery(matched);
    const service = fillService?.(matched.values);
    const target = service === undefined ? path || "/" : `/${service}${path}`;
    return {
      path: query === undefined ? target : `${target}?${query}`,
      service: service === undefined ? undefined : { segments: service.split("/").length, allowNameParameter },
    };
  };
}

/** A slash that stands at the end only because the last placeholder is empty goes, unless the client wrote one. */
function createFillPath({ pathTemplate, upstream }: DownstreamSettings): (matched: MatchedTarget) => string {
  const template = parseTemplate(pathOf(pathTemplate));
  const fill = createFillTemplate(template, "path", upstream.origins);
  const endsInPlaceholder = typeof template.parts.at(-1) === "object";
  return function fillPath({ values, path }) {
    const filled = fill(values);
    const slashIsLeftOver = endsInPlaceholder && filled.endsWith("/") && !path.endsWith("/");
    return slashIsLeftOver && lastValueIsEmpty(values) ? filled.slice(0, -1) : filled;
  };

  function lastValueIsEmpty(values: PlaceholderValues): boolean {
    const last = template.parts.at(-1);
    return typeof last === "object" && placeholderText(values.current, last.placeholder) === "";
  }
}

function createFillService({
  serviceName,
  upstream,
}: DownstreamSettings): ((values: PlaceholderValues) => string) | undefined {
  if (serviceName === undefined) return undefined;
  const text = bareServiceName(serviceName);
  const names = placeholderNames(text);
  const fill = createFillTemplate(parseTemplate(text), "path", upstream.origins);
  // A name without placeholders is the same for every request; an ill-formed one is refused at each request, as a
  // filled one is.
  if (names.length === 0 && isServiceName(text)) return fill;
  return function fillService(values) {
    for (const name of names) guardServiceNameValue(placeholderText(values.current, name));
    const service = fill(values);
    guardServiceName(service);
    return service;
  };
}
