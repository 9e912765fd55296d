import { isNamingParameter } from "../capabilities/naming-service/naming-parameters.ts";
import { bareServiceName } from "../capabilities/naming-service/service-name.ts";
import { RequestError } from "../errors.ts";
import type { ValueOrigin } from "../templates/encode-value.ts";
import { createFillTemplate, type PlaceholderValues } from "../templates/fill-template.ts";
import { placeholderText } from "../templates/placeholder-text.ts";
import { parseTemplate, placeholderNames } from "../templates/template.ts";
import type { UpstreamTemplate } from "../templates/upstream-template.ts";
import { type QueryParameter, splitAtSemicolons, splitQuery } from "../urls/client-query.ts";
import { parameterIdentities } from "../urls/parameter-aliases.ts";
import { pathOf, queryOf } from "../urls/path-and-query.ts";
import {
  guardServiceName,
  guardServiceNameValue,
  isServiceName,
  refuseServiceNameParameter,
  type ServiceGuard,
} from "./refuse-unsafe-target.ts";

/** What is forwarded of one matched request. */
export type MatchedTarget = Readonly<{ values: PlaceholderValues; path: string; query: string | undefined }>;

/** What a route says about its downstream path. */
export type DownstreamSettings = Readonly<{
  pathTemplate: string;
  serviceName: string | undefined;
  upstream: UpstreamTemplate;
  allowNameParameter: boolean;
  /** Which parameters of the naming service a client may send; undefined for all. */
  clientParameters: readonly string[] | undefined;
}>;

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
  const allowNameParameter = settings.allowNameParameter || ownNames(queryText).has("servicename");

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
  // A name without placeholders is the same for every request; one that is none is refused like those that are filled.
  if (names.length === 0 && isServiceName(text)) return fill;
  return function fillService(values) {
    for (const name of names) guardServiceNameValue(placeholderText(values.current, name));
    const service = fill(values);
    guardServiceName(service);
    return service;
  };
}

type FillQuery = (matched: MatchedTarget) => string | undefined;

function createFillQuery(text: string | undefined, settings: DownstreamSettings): FillQuery {
  const judge = createJudgeParameter(settings);
  const takeClientQuery = createTakeClientQuery(text, settings, judge);
  if (text === undefined) return ({ query }) => takeClientQuery(query);
  const { wholeQuery: rest } = settings.upstream;
  if (rest !== undefined && text.endsWith(`&{${rest}}`)) return createFillRest(text, settings, judge);
  const fill = createFillTemplate(parseTemplate(text), "query", originsIn(text, settings.upstream));
  if (rest !== undefined && text !== `{${rest}}` && placeholderNames(text).includes(rest)) {
    return ({ values }) => fill(values);
  }
  if (text === `{${settings.upstream.wholeQuery ?? ""}}`) {
    return function fillWholeQuery({ values }) {
      const query = fill(values);
      splitQuery(query).forEach(judge);
      return query === "" ? undefined : query;
    };
  }
  return function fillQuery({ values, query }) {
    const own = fill(values);
    const remaining = takeClientQuery(query);
    return remaining === undefined || remaining === "" ? own : `${own}&${remaining}`;
  };
}

/** `{rest}` behind other parameters: it holds those that the client sends, but none that the template sets. */
function createFillRest(
  text: string,
  settings: DownstreamSettings,
  judge: (parameter: QueryParameter) => void,
): FillQuery {
  const at = text.lastIndexOf("&");
  const { origins } = settings.upstream;
  const fill = createFillTemplate(parseTemplate(text.slice(0, at)), "query", origins);
  const fillRest = createFillTemplate(parseTemplate(text.slice(at + 1)), "query", origins);
  const takeRest = createTakeClientQuery(text.slice(0, at), settings, judge);
  return function fillQuery({ values }) {
    const rest = takeRest(fillRest(values));
    return rest === undefined || rest === "" ? fill(values) : `${fill(values)}&${rest}`;
  };
}

/** Where values come from; all that a client sends is encoded where it becomes the value of one parameter. */
function originsIn(text: string, { origins, wholeQuery }: UpstreamTemplate): ReadonlyMap<string, ValueOrigin> {
  if (wholeQuery === undefined || text === `{${wholeQuery}}`) return origins;
  return new Map<string, ValueOrigin>([...origins, [wholeQuery, "rest"]]);
}

/** What of the client's query is forwarded: untouched where nothing in the route speaks of a parameter. */
function createTakeClientQuery(
  text: string | undefined,
  { upstream: { capturedParameters } }: DownstreamSettings,
  judge: (parameter: QueryParameter) => void,
): (query: string | undefined) => string | undefined {
  const own = ownNames(text);
  const captured = identitiesOf([...capturedParameters].map((name) => ({ raw: "", name })));
  const isTaken = (parameter: QueryParameter): boolean =>
    parameterIdentities(parameter).some((identity) => own.has(identity) || captured.has(identity));
  if (own.size === 0 && captured.size === 0 && judge === acceptParameter)
    return (query) => (query === "" ? undefined : query);
  return function takeClientQuery(query) {
    if (query === undefined || query === "") return undefined;
    const parameters = splitQuery(query);
    const kept = parameters.filter((parameter) => !isTaken(parameter));
    kept.forEach(judge);
    const texts = kept.map((parameter) => (parameter.raw.includes(";") ? hideTaken(parameter) : parameter.raw));
    return texts.length === 0 ? undefined : texts.join("&");
  };

  /** A semicolon that would begin such a parameter is encoded: the value stays what it is for all other servers. */
  function hideTaken(parameter: QueryParameter): string {
    const [first, ...others] = splitAtSemicolons(parameter);
    return others.reduce((text, other) => `${text}${isTaken(other) ? "%3B" : ";"}${other.raw}`, first!.raw);
  }
}

function ownNames(text: string | undefined): ReadonlySet<string> {
  return identitiesOf(text === undefined ? [] : splitQuery(text));
}

function identitiesOf(parameters: readonly QueryParameter[]): ReadonlySet<string> {
  return new Set(parameters.flatMap(parameterIdentities).filter((identity) => identity !== ""));
}

const acceptParameter = (): void => undefined;

function createJudgeParameter(settings: DownstreamSettings): (parameter: QueryParameter) => void {
  if (settings.serviceName === undefined) return acceptParameter;
  const { allowNameParameter, clientParameters } = settings;
  return function judgeParameter({ name }) {
    if (name === "ServiceName" && !allowNameParameter) refuseServiceNameParameter();
    if (clientParameters === undefined || clientParameters.includes(name) || !isNamingParameter(name)) return;
    throw new RequestError(
      "client-parameter",
      `The query parameter ${JSON.stringify(name)} may not be sent to this route.`,
    );
  };
}
